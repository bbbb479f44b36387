import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FileInfo } from '#contract/message/files.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileFailure } from '../viewer/file-failure.tsx';
import { FileText } from '../viewer/file-text.tsx';
import { useFileInfo } from '../viewer/use-file-info.ts';
import { ZoomPicture } from '../viewer/zoom-picture.tsx';
import { isPicture } from './attachments.ts';
import { describeFile, tablesOf } from './describe-file.ts';

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
  const { data: info, error, refetch } = useFileInfo(fileId);
  // Its line is there from the start, so that nothing moves.
  const note = info ? describeFile(t, info) : '\u00a0';
  return (
    <Dialog
      large={info && tablesOf(info) ? 'fitted' : true}
      open={open}
      onClose={onClose}
      title={info?.name ?? name ?? t('files.picture')}
      note={error ? null : note}
      actions={error ? null : <DownloadLink fileId={fileId} name={info?.name} />}
    >
      {/* Has the focus until the file is there. */}
      <div
        tabIndex={-1}
        data-focus-first
        className="flex min-h-0 flex-1 flex-col outline-none phone:[&>p]:px-4"
      >
        {error ? (
          <FileFailure error={error} onRetry={() => void refetch()} />
        ) : info ? (
          <Content info={info} />
        ) : (
          <p role="status">{t('files.loading')}</p>
        )}
      </div>
    </Dialog>
  );
}

function DownloadLink({ fileId, name }: { fileId: string; name: string | undefined }) {
  const { t } = useTranslation('common');
  return (
    <a
      href={`/api/files/${fileId}/content`}
      download={name}
      title={t('files.download')}
      className={classNames(
        buttonStyle('secondary', 'small'),
        'max-sm:size-11 max-sm:border-0 max-sm:bg-transparent max-sm:px-0 max-sm:text-soft',
      )}
    >
      <Download aria-hidden strokeWidth={1.5} className="size-4 max-sm:size-5" />
      <span className="max-sm:sr-only">{t('files.download')}</span>
    </a>
  );
}

function Content({ info }: { info: FileInfo }): ReactNode {
  const { t } = useTranslation('common');
  const isPdf = info.type === 'application/pdf';
  const pdf = useModule(isPdf, loadPdfViewer);
  if (isPicture(info.type)) return <FilePicture info={info} />;
  const text = <FileText fileId={info.id} tables={tablesOf(info)} />;
  if (isPdf) return pdf ? <pdf.PdfViewer fileId={info.id} text={info.hasText ? text : null} /> : null;
  if (!info.hasText) return <p className="text-soft">{t('files.noTextHere')}</p>;
  return text;
}

/** A picture that this browser cannot draw is shown as the server drew it. */
function FilePicture({ info: { id, name, width, height } }: { info: FileInfo }) {
  return (
    <ZoomPicture
      source={`/api/files/${id}/content`}
      fallback={`/api/files/${id}/thumbnail`}
      name={name}
      whole={width && height ? { width, height } : null}
    />
  );
}
