import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { QUIET, TURN_ACTION } from './turn-actions.ts';

/** Copies a text as it is written, an answer with its Markdown; it is read when it is wanted. */
export function CopyText({ read, label }: { read: () => string; label: string }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(read()).then(
      () => setCopied(true),
      () => showAlert(t('chat.copyFailed')),
    );
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={copy}
      onBlur={() => setCopied(false)}
      onPointerLeave={() => setCopied(false)}
      className={`${TURN_ACTION} ${QUIET}`}
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      <span role="status" className={copied ? undefined : 'sr-only'}>
        {copied ? t('chat.copied') : null}
      </span>
    </button>
  );
}
