import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

const PhoneSheet = lazy(async () => {
  const { PhoneSheet } = await import('./phone-sheet.tsx');
  return { default: PhoneSheet };
});

/** The button that opens the header's links where the row has no room for them. */
export function PhoneMenu() {
  const { t } = useTranslation('common');
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the sheet.
  useEffect(() => setOpen(false), [key]);

  const show = () => {
    setWanted(true);
    setOpen(true);
  };
  return (
    <div className="-mr-2 nav:hidden">
      <IconButton label={t('nav.open')} aria-haspopup="dialog" aria-expanded={open} onClick={show}>
        <MenuIcon aria-hidden size={22} strokeWidth={1.5} />
      </IconButton>
      <Suspense fallback={null}>
        {wanted ? <PhoneSheet open={open} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </div>
  );
}
