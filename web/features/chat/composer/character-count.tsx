import { useSyncExternalStore } from 'react';
import { usePromptLimit } from '#web/features/catalogue/use-prompt-limit.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Draft } from './draft.ts';

/** From this share of the limit on, the length of a question is shown. */
const COUNT_FROM = 0.9;

/** How much of the limit a long question takes; nothing is said of a short one. */
export function CharacterCount({ draft }: { draft: Draft }) {
  const { t } = useTranslation('common');
  const limit = usePromptLimit();
  const length = useSyncExternalStore(draft.subscribe, () => {
    const count = draft.read().trim().length;
    return count < limit * COUNT_FROM ? 0 : count;
  });
  if (length === 0) return null;
  return (
    <span
      role="status"
      className={classNames('text-sm tabular-nums', length > limit ? 'text-danger' : 'text-soft')}
    >
      {t('chat.characterCount', { count: length, limit })}
    </span>
  );
}
