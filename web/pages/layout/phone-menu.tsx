import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { SheetButton } from '#web/ui/sheet/sheet-button.tsx';

const loadSheet = () => import('./phone-sheet.tsx');

/** The button that opens the header's links where the row has no room for them. */
export function PhoneMenu() {
  const { t } = useTranslation('common');
  return (
    <SheetButton label={t('nav.open')} sheet={(open, close) => <LoadedSheet open={open} onClose={close} />} />
  );
}

function LoadedSheet(props: { open: boolean; onClose: () => void }) {
  const module = useModule(props.open, loadSheet);
  return module ? <module.PhoneSheet {...props} /> : null;
}
