import { X } from 'lucide-react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

interface PasteOfferProps {
  /** Characters that were pasted. */
  count: number;
  accept: () => void;
  dismiss: () => void;
}

/** A long text was pasted: offers to make a file of it. */
export function PasteOffer({ count, accept, dismiss }: PasteOfferProps) {
  const { t } = useTranslation('common');
  return (
    <div className="-order-1 flex w-full items-center gap-2 pr-0.5 pb-1 pl-(--inset-foot) text-sm">
      <p role="status" className="min-w-0 flex-1 text-soft tabular-nums">
        {t('files.pasted', { count })}
      </p>
      <Button variant="secondary" size="small" onClick={accept}>
        {t('files.pastedAsFile')}
      </Button>
      <IconButton label={t('files.pastedKeep')} onClick={dismiss}>
        <X aria-hidden size={16} strokeWidth={1.5} />
      </IconButton>
    </div>
  );
}
