import { Check, Copy } from 'lucide-react';
import { PROVIDERS } from '#contract/choices.ts';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';

const SHORT = 14;

/** An id as far as one tells it from others, with a button that copies all of it. */
export function ShortId({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const { copied, copy } = useCopy(() => showAlert(t('admin.copyFailed')));
  const Icon = copied ? Check : Copy;
  return (
    <span className="inline-flex max-w-full items-baseline gap-0.5 whitespace-nowrap">
      <span lang="zxx" title={id} className="font-mono text-[0.8125rem]">
        {shortId(id)}
      </span>
      <button
        type="button"
        onClick={() => void copy(id)}
        aria-label={t('admin.copyId', { id })}
        className="-my-1.5 inline-flex size-7 shrink-0 items-center justify-center self-center rounded-control text-soft hover:bg-sunken hover:text-ink"
      >
        <Icon aria-hidden size={14} strokeWidth={1.5} />
      </button>
      <span role="status" className="sr-only">
        {copied ? t('admin.copied') : ''}
      </span>
    </span>
  );
}

/** The end of a UUID, as users see the numbers of their orders; others by their beginning and end, without the name of a provider. */
export function shortId(of: string): string {
  const provider = PROVIDERS.find((name) => of.startsWith(`${name}:`));
  const id = provider ? of.slice(provider.length + 1) : of;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return `…${id.slice(-8)}`;
  return id.length <= SHORT + 4 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}
