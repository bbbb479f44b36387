import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

const loadSheet = () => import('./phone-sheet.tsx');

/** The button that opens the header's links where the row has no room for them. */
export function PhoneMenu() {
  const { t } = useTranslation('common');
  const [open, setOpen] = useState(false);
  const sheet = useModule(open, loadSheet);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the sheet.
  useEffect(() => setOpen(false), [key]);

  return (
    <div className="-mr-2 nav:hidden">
      <IconButton
        label={t('nav.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden size={22} strokeWidth={1.5} />
      </IconButton>
      {sheet ? <sheet.PhoneSheet open={open} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
