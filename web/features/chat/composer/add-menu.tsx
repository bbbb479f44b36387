import { Camera, Globe, Paperclip, Plus, X } from 'lucide-react';
import { type ButtonHTMLAttributes, type ChangeEvent, useRef } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Menu, MenuChoice, MenuItem, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';
import type { SearchMode } from '../quote/search-mode.ts';

const ICON = { 'aria-hidden': true, size: 18, strokeWidth: 1.5, className: 'text-soft' } as const;
const MODES: readonly { mode: SearchMode; name: TextKey; note: TextKey }[] = [
  { mode: 'off', name: 'webSearch.off', note: 'webSearch.offNote' },
  { mode: 'auto', name: 'webSearch.auto', note: 'webSearch.autoNote' },
  { mode: 'always', name: 'webSearch.always', note: 'webSearch.alwaysNote' },
];

/** What the message being written may have besides text. */
export interface Additions {
  onFiles: (files: readonly File[]) => void;
  search: { mode: SearchMode; choose: (mode: SearchMode) => void };
}

/** Adds files or a photo to the message, and chooses whether the web is searched. */
export function AddMenu({ onFiles, search }: Additions) {
  const { t } = useTranslation('common');
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    event.target.value = '';
  };
  const input = { type: 'file', hidden: true, tabIndex: -1, onChange: take } as const;
  return (
    <>
      <input ref={files} {...input} multiple aria-label={t('files.upload')} data-files />
      <input ref={camera} {...input} accept="image/*" capture="environment" aria-label={t('files.camera')} />
      <Menu trigger={<AddButton />} align="start">
        <MenuItem icon={<Paperclip {...ICON} />} onSelect={() => files.current?.click()}>
          {t('files.upload')}
        </MenuItem>
        <div className="pointer-fine:hidden">
          <MenuItem icon={<Camera {...ICON} />} onSelect={() => camera.current?.click()}>
            {t('files.camera')}
          </MenuItem>
        </div>
        <MenuSeparator />
        <p className="flex items-center gap-3 px-3 pt-1.5 pb-1 text-soft text-sm">
          <Globe {...ICON} />
          {t('webSearch.title')}
        </p>
        <MenuChoice label={t('webSearch.title')} value={search.mode} onChange={search.choose}>
          {MODES.map(({ mode, name, note }) => (
            <MenuOption key={mode} value={mode}>
              {t(name)}
              <span className="block text-soft text-sm">{t(note)}</span>
            </MenuOption>
          ))}
        </MenuChoice>
      </Menu>
    </>
  );
}

function AddButton(button: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      title={t('files.add')}
      aria-label={t('files.add')}
      {...button}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink"
    >
      <Plus aria-hidden size={20} strokeWidth={1.5} />
    </button>
  );
}

/** Says that the web is searched; a press ends that. */
export function SearchTag({ mode, choose }: Additions['search']) {
  const { t } = useTranslation('common');
  if (mode === 'off') return null;
  const name = t(mode === 'auto' ? 'webSearch.autoTag' : 'webSearch.alwaysTag');
  return (
    <button
      type="button"
      title={t('webSearch.stop')}
      onClick={() => choose('off')}
      className="group/tag inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-control bg-sunken px-2.5 text-sm hover:bg-selected pointer-coarse:min-h-11"
    >
      <Globe aria-hidden size={16} strokeWidth={1.5} />
      <span className="max-sm:sr-only">{name}</span>
      <span className="sr-only">{t('webSearch.stop')}</span>
      <X aria-hidden size={14} strokeWidth={1.5} className="text-soft" />
    </button>
  );
}
