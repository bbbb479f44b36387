import { Check, Copy } from 'lucide-react';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common');
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={() => void copy(text)}
      aria-label={copied ? undefined : label}
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('api.copied') : t('api.copy')}</span>
    </Button>
  );
}
