import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Modal } from '../overlay/modal.tsx';
import type { PaletteScreen } from './list-commands.tsx';
import { PaletteBox } from './palette-box.tsx';

interface PaletteProps {
  open: boolean;
  /** `then`: what is done once it is closed and the focus is back. */
  onClose: (then?: () => void) => void;
  screen: PaletteScreen;
}

/** Finds conversations, what was said in them, pages and everything that can be done, by a few letters. */
export function Palette({ open, onClose, screen }: PaletteProps) {
  const { t } = useTranslation('common');
  return (
    <Modal
      open={open}
      onClose={onClose}
      label={t('chat.search')}
      className={classNames(
        'mx-auto mt-[10dvh] mb-0 max-h-[min(38rem,80dvh)] w-[min(40rem,calc(100vw-2rem))] flex-col overflow-hidden p-0 open:flex',
        'rounded-card border border-line bg-raised text-ink shadow-float backdrop:bg-backdrop',
        'max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0',
        'transition-[opacity,translate] starting:open:-translate-y-2 starting:open:opacity-0 motion-reduce:transition-none',
      )}
    >
      {open ? <PaletteBox onClose={onClose} screen={screen} /> : null}
    </Modal>
  );
}
