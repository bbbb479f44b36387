import { useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Keys } from './keys.tsx';
import { keepSingleKeys, labelsOf, readSingleKeys, SHORTCUTS, type Shortcut } from './shortcuts.ts';

const MEANING: Record<Shortcut, TextKey> = {
  search: 'chat.search',
  new: 'chat.newConversation',
  list: 'chat.keyList',
  composer: 'chat.keyComposer',
  older: 'chat.versionOlder',
  newer: 'chat.versionNewer',
  help: 'chat.keyHelp',
};

const ENTER: { keys: string[]; meaning: TextKey }[] = [
  { keys: ['Enter'], meaning: 'chat.send' },
  { keys: ['Shift', 'Enter'], meaning: 'chat.keyNewLine' },
];

/** Every shortcut of the chat, and the switch for those of a single key. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('common');
  const [singleKeys, setSingleKeys] = useState(readSingleKeys);
  const change = (on: boolean) => {
    setSingleKeys(on);
    keepSingleKeys(on);
  };
  return (
    <Dialog open={open} onClose={onClose} title={t('chat.keys')}>
      <dl className="mb-4 grid grid-cols-[1fr_auto] items-center gap-y-2">
        {ENTER.map(({ keys, meaning }) => (
          <Row key={meaning} meaning={t(meaning)} keys={keys} />
        ))}
        {SHORTCUTS.map((keys) => (
          <Row
            key={`${keys.shortcut}-${keys.key}`}
            meaning={t(MEANING[keys.shortcut])}
            keys={labelsOf(keys)}
          />
        ))}
      </dl>
      <Checkbox
        label={t('chat.keysSingle')}
        checked={singleKeys}
        onChange={(event) => change(event.target.checked)}
      />
    </Dialog>
  );
}

function Row({ meaning, keys }: { meaning: string; keys: string[] }) {
  return (
    <>
      <dt>{meaning}</dt>
      <dd>
        <Keys keys={keys} />
      </dd>
    </>
  );
}
