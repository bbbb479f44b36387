import { Check, Copy } from 'lucide-react';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { QUIET, TURN_ACTION } from './turn-actions.ts';

/** Copies a text as it is written, an answer with its Markdown; it is read when it is wanted. */
export function CopyText({ read, label }: { read: () => string; label: string }) {
  const { t } = useTranslation('common');
  const { copied, copy } = useCopy(() => showAlert(t('chat.copyFailed')));
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={() => void copy(read())}
      className={`${TURN_ACTION} ${QUIET}`}
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      <span role="status" className={copied ? undefined : 'sr-only'}>
        {copied ? t('chat.copied') : null}
      </span>
    </button>
  );
}
