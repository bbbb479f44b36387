import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import type { DataExport as Export, ExportList } from '#contract/personal-data.ts';
import { formatDay, formatMoment } from '#i18n/formats.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { Button, Spinner } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { actProblem, useConfirmation } from '../confirmation/use-confirmation.tsx';

const LOOK_MS = 2_000;

const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => callApi<ExportList>('/api/me/exports', { signal }),
  refetchInterval: ({ state }) => (state.data?.exports[0]?.state === 'waiting' ? LOOK_MS : false),
});

/** Everything that is kept of the user, as a file to take along. */
export function DataExport() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { confirmed, dialog } = useConfirmation();
  const { data, isError } = useQuery(exportsQuery);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const last = data?.exports[0];
  const ready = data?.exports.find(({ state }) => state === 'ready');

  const run = async (act: () => Promise<unknown>, failed: TextKey) => {
    setBusy(true);
    setProblem(null);
    try {
      await confirmed(act);
    } catch (error) {
      setProblem(actProblem(error, failed));
    } finally {
      setBusy(false);
      await queryClient.invalidateQueries(exportsQuery);
    }
  };
  const request = () =>
    run(() => callApi<Export>('/api/me/export', { method: 'POST', body: {} }), 'takeout.failed');
  const download = (path: string) =>
    run(async () => {
      await probe(path);
      window.location.assign(path);
    }, 'takeout.notTaken');

  return (
    <div className="flex max-w-prose flex-col items-start gap-4">
      <p className="text-soft">{t('takeout.text')}</p>
      <div role="status" className="flex flex-col gap-3 empty:-mt-4">
        {last?.state === 'waiting' ? (
          <p className="flex items-center gap-3 text-soft">
            <Spinner />
            {t('takeout.waiting')}
          </p>
        ) : null}
        {ready ? (
          <Ready file={ready} isFormer={ready !== last} onDownload={(path) => void download(path)} />
        ) : null}
      </div>
      {last?.state === 'waiting' ? null : (
        <Button variant="secondary" busy={busy} onClick={() => void request()}>
          {t(ready ? 'takeout.again' : 'takeout.request')}
        </Button>
      )}
      <FieldError>{problem ? t(problem) : last?.state === 'failed' ? t('takeout.failed') : null}</FieldError>
      {isError ? <FieldError>{t('takeout.notRead')}</FieldError> : null}
      {dialog}
    </div>
  );
}

/** Asks whether the file may be taken now, without taking it. Such an answer has no body: 403 stands for the proof that is wanted. */
async function probe(path: string): Promise<void> {
  try {
    await callApi(path, { method: 'HEAD' });
  } catch (error) {
    const isUnproved = error instanceof ApiError && error.status === 403;
    throw isUnproved ? new ApiError('confirmation_required', {}, 403) : error;
  }
}

/**
 * The link is one, so that it can be copied; a click asks for a fresh proof first, where one is needed. A former file, beside a newer one
 * that is not ready, says when it was asked for.
 */
function Ready({
  file,
  isFormer,
  onDownload,
}: {
  file: Export;
  isFormer: boolean;
  onDownload: (path: string) => void;
}) {
  const { t, i18n } = useTranslation('common');
  const language = languageTag(i18n.language);
  const megabytes = Math.max(0.1, (file.size ?? 0) / 1e6).toLocaleString(language, {
    maximumFractionDigits: 1,
  });
  const path = `/api/me/export/${file.id}`;
  const take = (event: MouseEvent) => {
    event.preventDefault();
    onDownload(path);
  };
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <a href={path} download onClick={take} className={buttonStyle()}>
        <Download aria-hidden size={18} strokeWidth={1.5} />
        {t('takeout.download', { size: megabytes })}
      </a>
      {isFormer ? (
        <span className="text-soft text-sm">
          {t('takeout.former', { time: formatMoment(i18n.language, file.requestedAt) })}
        </span>
      ) : null}
      <span className="text-soft text-sm">
        {t('takeout.until', { date: formatDay(i18n.language, file.expiresAt ?? 0) })}
      </span>
    </p>
  );
}
