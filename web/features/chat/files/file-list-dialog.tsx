import { useInfiniteQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FileInfo } from '#contract/message/files.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, QuestionDialog } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { FileName } from './file-name.tsx';
import { readFiles, useFileActions } from './use-file-actions.ts';
import { useFileViewer } from './use-file-viewer.tsx';

interface FileListDialogProps {
  conversationId: string;
  open: boolean;
  onClose: () => void;
}

/** The files of a conversation: each can be looked at, read in each turn or not, and deleted. */
export function FileListDialog({ conversationId, open, onClose }: FileListDialogProps) {
  const { t } = useTranslation('common');
  const [doomed, setDoomed] = useState<FileInfo | null>(null);
  const { show, viewer } = useFileViewer();
  const { data, isError, isFetchNextPageError, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['files', conversationId],
    queryFn: ({ pageParam, signal }) => readFiles(conversationId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    enabled: open,
    staleTime: 0,
    retry: 1,
  });
  const files = data?.pages.flatMap((page) => page.files) ?? [];
  const { change, remove } = useFileActions(conversationId);
  return (
    <Dialog open={open} onClose={onClose} title={t('files.ofConversation')} wide>
      {isError && !isFetchNextPageError ? (
        <div className="flex flex-col items-start gap-3">
          <p role="alert">{t('files.loadFailed')}</p>
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            {t('chat.reload')}
          </Button>
        </div>
      ) : null}
      {data && files.length === 0 ? <p className="text-soft">{t('files.noneYet')}</p> : null}
      {files.length > 0 ? (
        <>
          <p className="mb-3 text-sm text-soft">{t('files.ofConversationNote')}</p>
          <ul>
            {files.map((file) => (
              <FileRow
                key={file.id}
                file={file}
                onOpen={() => void show({ fileId: file.id, name: file.name })}
                change={change}
                onDelete={() => setDoomed(file)}
              />
            ))}
          </ul>
          {hasNextPage ? (
            <LoadMore
              label={t('files.more')}
              failedText={t('files.moreFailed')}
              load={() => fetchNextPage({ throwOnError: true })}
            />
          ) : null}
        </>
      ) : null}
      <DeleteQuestion file={doomed} onClose={() => setDoomed(null)} remove={remove} />
      {viewer}
    </Dialog>
  );
}

interface FileRowProps {
  file: FileInfo;
  onOpen: () => void;
  change: (file: FileInfo, everyTurn: boolean) => Promise<string | null>;
  onDelete: () => void;
}

/** A file with what can be done with it, and why that did not work: a toast would lie beneath the dialog. */
function FileRow({ file, onOpen, change, onDelete }: FileRowProps) {
  const { t } = useTranslation('common');
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (everyTurn: boolean) => {
    setProblem(null);
    setProblem(await change(file, everyTurn));
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-3">
      <FileName file={file} onOpen={onOpen} />
      <Segmented
        label={t('files.turnsOf', { name: file.name })}
        name={`turns-${file.id}`}
        value={file.everyTurn ? 'every' : 'once'}
        onChange={(value) => void choose(value === 'every')}
        options={[
          { value: 'every', label: t('files.everyTurn') },
          { value: 'once', label: t('files.noMore') },
        ]}
        className="max-sm:ml-14"
      />
      <IconButton
        label={t('files.deleteOf', { name: file.name })}
        onClick={onDelete}
        className="max-sm:ml-auto"
      >
        <Trash2 aria-hidden size={18} strokeWidth={1.5} />
      </IconButton>
      <div className="w-full empty:hidden">
        <FieldError>{problem}</FieldError>
      </div>
    </li>
  );
}

interface DeleteQuestionProps {
  /** Null: nothing is asked. */
  file: FileInfo | null;
  onClose: () => void;
  remove: (file: FileInfo) => Promise<string | null>;
}

/** Asks before a file is deleted, and says there when that did not work. */
function DeleteQuestion({ file, onClose, remove }: DeleteQuestionProps) {
  const { t } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const act = async () => {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    const failed = await remove(file);
    setBusy(false);
    if (failed === null) close();
    else setProblem(failed);
  };
  return (
    <QuestionDialog
      open={file !== null}
      onClose={close}
      title={t('files.deleteTitle')}
      text={
        <RichText
          text={t('files.deleteText', { name: '<name></name>' })}
          parts={{ name: () => <span className="[text-autospace:no-autospace]">{file?.name}</span> }}
        />
      }
      problem={problem}
      keep={t('dialog.cancel')}
      act={t('chat.delete')}
      busy={busy}
      onAct={() => void act()}
    />
  );
}
