import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FileInfo, FileText } from '#contract/message/files.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { isPicture } from './attachments.ts';
import { CsvTable, splitSheets } from './csv-table.tsx';
import { describeFile, tablesOf } from './describe-file.ts';
import { ZoomPicture } from './zoom-picture.tsx';

const loadPdfViewer = () => import('../pdf/pdf-viewer.tsx');

interface FileViewerProps {
  fileId: string;
  /** Null where only the server knows it. */
  name: string | null;
  open: boolean;
  onClose: () => void;
}

/** Shows a picture, the pages of a PDF, the text of a document or the tables of a spreadsheet, and downloads the file. */
export function FileViewer({ fileId, name, open, onClose }: FileViewerProps) {
  const { t } = useTranslation('common');
  const file = useQuery({
    queryKey: ['file', fileId],
    queryFn: ({ signal }) => callApi<FileInfo>(`/api/files/${fileId}`, { signal }),
    retry: (failures, error) => failures < 2 && !isGone(error),
  });
  const info = file.data;
  return (
    <Dialog open={open} onClose={onClose} title={info?.name ?? name ?? t('files.picture')} large>
      {file.error ? (
        <Failure error={file.error} onRetry={() => void file.refetch()} />
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
            <p className="text-soft tabular-nums">{info ? describeFile(t, info) : ' '}</p>
            <a
              href={`/api/files/${fileId}/content`}
              download={info?.name}
              className={buttonStyle('secondary', 'small')}
            >
              <Download aria-hidden size={16} strokeWidth={1.5} />
              {t('files.download')}
            </a>
          </div>
          {info ? <Content info={info} /> : <p role="status">{t('files.loading')}</p>}
        </>
      )}
    </Dialog>
  );
}

function Content({ info }: { info: FileInfo }): ReactNode {
  const { t } = useTranslation('common');
  const isPdf = info.type === 'application/pdf';
  const pdf = useModule(isPdf, loadPdfViewer);
  if (isPicture(info.type)) return <ZoomPicture info={info} />;
  const text = <TextContent info={info} />;
  if (isPdf) return pdf ? <pdf.PdfViewer fileId={info.id} text={info.hasText ? text : null} /> : null;
  if (!info.hasText) return <p className="text-soft">{t('files.noTextHere')}</p>;
  return text;
}

function TextContent({ info }: { info: FileInfo }) {
  const { t } = useTranslation('common');
  const { data, error, refetch } = useQuery({
    queryKey: ['file-text', info.id],
    queryFn: ({ signal }) => callApi<FileText>(`/api/files/${info.id}/text`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{t('files.loading')}</p>;
  const tables = tablesOf(info);
  const sheets = tables === 'csv' ? [{ name: '', text: data.text }] : splitSheets(data.text);
  return (
    <>
      {tables ? (
        sheets.map(({ name, text }) => <CsvTable key={name} name={name} text={text} />)
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard too.
          tabIndex={0}
          dir="auto"
          className="max-h-[65dvh] overflow-auto whitespace-pre-wrap rounded-control border border-line bg-paper p-4 font-sans text-sm wrap-anywhere"
        >
          {data.text}
        </pre>
      )}
      {data.isCut ? <p className="mt-2 text-sm text-soft">{t('files.textCut')}</p> : null}
    </>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('common');
  if (isGone(error)) return <p role="alert">{t('files.gone')}</p>;
  return (
    <div className="flex flex-col items-start gap-3">
      <p role="alert">{t('files.loadFailed')}</p>
      <Button variant="secondary" size="small" onClick={onRetry}>
        {t('chat.reload')}
      </Button>
    </div>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'file_deleted');
}
