import { FileText, Image as ImageIcon, Sheet } from 'lucide-react';
import type { InputPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CutText, FILE_ENDING } from '#web/ui/text/cut-text.tsx';
import { isGone, useFileInfo } from '../viewer/use-file-info.ts';
import { describeFile, tablesOf } from './describe-file.ts';
import { useFileViewer } from './use-file-viewer.tsx';
import { PICTURE_TEXT, usePictureState } from './use-picture-state.ts';

type FilePart = Extract<InputPart, { kind: 'file' }>;

const CHIP = 'flex h-14 max-w-full items-center gap-2 rounded-control border border-line px-3 text-sm';

/** The files and pictures that a question came with, pictures first; each opens in a viewer. */
export function MessageFiles({ parts }: { parts: readonly InputPart[] }) {
  const { t } = useTranslation('common');
  const { show, viewer } = useFileViewer();
  const pictures = parts.filter((part) => part.kind === 'image');
  const documents = parts.filter((part) => part.kind === 'file');
  return (
    <>
      <ul
        aria-label={t('files.attached')}
        className="mb-2 flex max-w-[85%] flex-wrap items-end justify-end gap-2"
      >
        {pictures.map(({ fileId }) => (
          <li key={fileId}>
            <Thumbnail fileId={fileId} onOpen={() => show({ fileId, name: null })} />
          </li>
        ))}
        {documents.map((part) => (
          <li key={part.fileId} className="min-w-0 max-w-full">
            <DocumentChip part={part} onOpen={() => show({ fileId: part.fileId, name: part.name })} />
          </li>
        ))}
      </ul>
      {viewer}
    </>
  );
}

/** A document by its name; where it is deleted it says so, and has nothing to open. */
function DocumentChip({ part, onOpen }: { part: FilePart; onOpen: () => void }) {
  const { t } = useTranslation('common');
  const { data, error } = useFileInfo(part.fileId);
  const isDeleted = isGone(error);
  const known = data ? describeFile(t, data, true) : null;
  const Icon = tablesOf(part) ? Sheet : FileText;
  const content = (
    <>
      <Icon aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft" />
      <span className="min-w-0">
        <span dir="auto" title={part.name} className="block leading-5 [text-autospace:no-autospace]">
          <CutText text={part.name} end={FILE_ENDING} />
        </span>
        <span className="block truncate text-soft text-xs tabular-nums">
          {isDeleted ? t('files.deleted') : known}
        </span>
      </span>
    </>
  );
  if (isDeleted) return <span className={`${CHIP} text-soft`}>{content}</span>;
  return (
    <button
      type="button"
      aria-label={part.name}
      onClick={onOpen}
      className={`${CHIP} bg-raised text-left hover:border-edge`}
    >
      {content}
    </button>
  );
}

/** A small picture; where it is gone, a sign in its place. */
function Thumbnail({ fileId, onOpen }: { fileId: string; onOpen: () => void }) {
  const { t } = useTranslation('common');
  const { state, fail } = usePictureState(fileId);
  if (state !== 'shown')
    return (
      <span className={`${CHIP} text-soft`}>
        <ImageIcon aria-hidden size={18} strokeWidth={1.5} />
        {t(PICTURE_TEXT[state])}
      </span>
    );
  return (
    <button
      type="button"
      aria-label={t('files.openPicture')}
      onClick={onOpen}
      className="block size-27 overflow-hidden rounded-control border border-line hover:border-edge"
    >
      <img
        src={`/api/files/${fileId}/thumbnail`}
        alt=""
        onError={fail}
        className="block size-full bg-sunken object-cover"
      />
    </button>
  );
}
