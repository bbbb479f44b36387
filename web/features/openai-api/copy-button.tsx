import { Check, Copy } from 'lucide-react';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { showAlert } from '#web/ui/toast-store.ts';

interface CopyButtonProps {
  /** What is copied, or what reads it once the button is pressed. */
  text: string | (() => string);
  label: string;
  /** What says that it could not be copied, in place of a toast, which a dialog would cover. */
  onRefused?: () => void;
}

/** Copies a text, and says so for a moment; or that it could not. */
export function CopyButton({ text, label, onRefused }: CopyButtonProps) {
  const { t } = useTranslation('common');
  const { copied, copy } = useCopy(onRefused ?? (() => showAlert(t('chat.copyFailed'))));
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={() => void copy(typeof text === 'string' ? text : text())}
      aria-label={copied ? undefined : label}
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('api.copied') : t('api.copy')}</span>
    </Button>
  );
}
