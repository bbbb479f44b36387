import { FileText, Image as ImageIcon, Sheet } from 'lucide-react';
import { useState } from 'react';
import type { FileInfo } from '#contract/message/files.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CutText, FILE_ENDING } from '#web/ui/text/cut-text.tsx';
import { isPicture } from './attachments.ts';
import { describeFile, tablesOf } from './describe-file.ts';

/** A file by its icon, its name and what is known of it; opens it. */
export function FileName({ file, onOpen }: { file: FileInfo; onOpen: () => void }) {
  const { t } = useTranslation('common');
  const known = describeFile(t, file);
  return (
    <button
      type="button"
      aria-label={`${file.name} · ${known}`}
      onClick={onOpen}
      className="flex min-h-11 min-w-0 flex-1 basis-56 items-center gap-3 rounded-control px-1 text-left hover:bg-sunken"
    >
      <FileIcon file={file} />
      <span className="min-w-0">
        <span dir="auto" title={file.name} className="block [text-autospace:no-autospace]">
          <CutText text={file.name} end={FILE_ENDING} />
        </span>
        <span className="block text-sm text-soft tabular-nums">{known}</span>
      </span>
    </button>
  );
}

/** A small picture of a picture, or the icon of its kind. */
function FileIcon({ file }: { file: FileInfo }) {
  const [hasFailed, setFailed] = useState(false);
  const Icon = isPicture(file.type) ? ImageIcon : tablesOf(file) ? Sheet : FileText;
  return (
    <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-soft">
      {isPicture(file.type) && file.hasThumbnail && !hasFailed ? (
        <img
          src={`/api/files/${file.id}/thumbnail`}
          alt=""
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon aria-hidden size={20} strokeWidth={1.5} />
      )}
    </span>
  );
}
