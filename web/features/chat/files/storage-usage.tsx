import { useQuery } from '@tanstack/react-query';
import type { FileUsage } from '#contract/message/files.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { formatBytes } from './describe-file.ts';

/** How much of their space the reader's files take. */
export function StorageUsage() {
  const { t } = useTranslation('common');
  const { data, error, refetch } = useQuery({
    queryKey: ['file-usage'],
    queryFn: ({ signal }) => callApi<FileUsage>('/api/files/usage', { signal }),
    retry: 1,
  });
  if (error)
    return (
      <p role="alert">
        {t('files.usageFailed')}{' '}
        <button type="button" onClick={() => void refetch()} className="underline underline-offset-4">
          {t('chat.reload')}
        </button>
      </p>
    );
  if (!data) return <p role="status">{t('files.loading')}</p>;
  const { bytes, quota } = data;
  const isNearlyFull = bytes > quota * 0.9;
  return (
    <div className="max-w-md">
      <p className="mb-2 tabular-nums">
        {t('files.usage', { used: formatBytes(t, bytes), quota: formatBytes(t, quota) })}
      </p>
      <meter
        min={0}
        max={quota}
        high={quota * 0.9}
        value={bytes}
        aria-label={t('files.usageTitle')}
        className="storage-meter"
      />
      <p className="mt-2 text-sm text-soft">{isNearlyFull ? t('files.usageFull') : t('files.usageNote')}</p>
    </div>
  );
}
