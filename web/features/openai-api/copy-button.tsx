import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

const SAID_MS = 2_000;

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button variant="quiet" size="small" onClick={copy} aria-label={copied ? undefined : label}>
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('api.copied') : t('api.copy')}</span>
    </Button>
  );
}
