import { FileText, Image as ImageIcon, Sheet } from 'lucide-react';
import { useState } from 'react';
import type { InputPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { tablesOf } from './describe-file.ts';
import { usePictureState } from './use-picture-state.ts';

type FilePart = Exclude<InputPart, { kind: 'text' }>;

const loadViewer = () => import('./file-viewer.tsx');

/** The files and pictures that a question came with; each opens in a viewer. */
export function MessageFiles({ parts }: { parts: readonly InputPart[] }) {
  const { t } = useTranslation('common');
  const [shown, setShown] = useState<FilePart | null>(null);
  const [isOpen, setOpen] = useState(false);
  const viewer = useModule(shown !== null, loadViewer);
  const files = parts.filter((part) => part.kind !== 'text');
  const open = (part: FilePart) => {
    setShown(part);
    setOpen(true);
  };
  return (
    <>
      <ul
        aria-label={t('files.attached')}
        className="mb-2 flex max-w-[85%] flex-wrap items-end justify-end gap-2"
      >
        {files.map((part) => (
          <li key={part.fileId} className="min-w-0 max-w-full">
            {part.kind === 'image' ? (
              <Thumbnail fileId={part.fileId} onOpen={() => open(part)} />
            ) : (
              <button
                type="button"
                onClick={() => open(part)}
                className="flex min-h-11 max-w-full items-center gap-2 rounded-control border border-line bg-raised px-3 py-1.5 text-left text-sm hover:border-edge"
              >
                <FileIcon part={part} />
                <span dir="auto" className="truncate [text-autospace:no-autospace]">
                  {part.name}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {viewer && shown ? (
        <viewer.FileViewer
          key={shown.fileId}
          fileId={shown.fileId}
          name={shown.kind === 'file' ? shown.name : null}
          open={isOpen}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

function FileIcon({ part }: { part: Extract<InputPart, { kind: 'file' }> }) {
  const Icon = tablesOf(part) ? Sheet : FileText;
  return <Icon aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft" />;
}

/** A small picture; where it is gone, a sign in its place. */
function Thumbnail({ fileId, onOpen }: { fileId: string; onOpen: () => void }) {
  const { t } = useTranslation('common');
  const { state, fail } = usePictureState();
  if (state !== 'shown')
    return (
      <span className="flex min-h-11 items-center gap-2 rounded-control border border-line px-3 text-sm text-soft">
        <ImageIcon aria-hidden size={18} strokeWidth={1.5} />
        {t(state === 'away' ? 'files.pictureAway' : 'files.pictureGone')}
      </span>
    );
  return (
    <button
      type="button"
      aria-label={t('files.openPicture')}
      onClick={onOpen}
      className="block overflow-hidden rounded-control border border-line hover:border-edge"
    >
      <img
        src={`/api/files/${fileId}/thumbnail`}
        alt=""
        onError={fail}
        className="block size-28 bg-sunken object-cover"
      />
    </button>
  );
}
