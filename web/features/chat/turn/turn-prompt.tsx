import { Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useLoadWithNotice } from '#web/ui/loading/use-load-with-notice.ts';
import { latinClass } from '#web/ui/text/latin-class.ts';
import { CopyText } from './copy-text.tsx';
import { leaveFocusToTurn, QUIET, TURN_ACTION, useTurnActions } from './turn-actions.ts';

const loadFiles = () => import('../files/message-files.tsx');
const loadEditor = () => import('./prompt-editor.tsx');

/** A question, or the field in which it is edited: that stays open when the turn is drawn anew. */
export function EditablePrompt({ message }: { message: Message }) {
  const { edits } = useTurnActions();
  const [editing, setEditing] = useState(() => edits.has(message.id));
  const [wasOpened, setWasOpened] = useState(false);
  const loadWithNotice = useLoadWithNotice(loadEditor);
  useEffect(() => {
    void edits.adopt(message.id).then((isAdopted) => {
      if (!isAdopted) return;
      if (edits.get(message.id) === message.content) edits.delete(message.id);
      else setEditing(true);
    });
  }, [edits, message.id, message.content]);
  const open = async () => {
    edits.set(message.id, message.content);
    setWasOpened(true);
    if (await loadWithNotice()) setEditing(true);
    else edits.delete(message.id);
  };
  return editing ? (
    <EditedPrompt message={message} takesFocus={wasOpened} onClose={() => setEditing(false)} />
  ) : (
    <TurnPrompt message={message} onEdit={() => void open()} />
  );
}

interface EditedPromptProps {
  message: Message;
  /** Its reader opened it now: what was left open before takes neither the focus nor its place on screen. */
  takesFocus: boolean;
  onClose: () => void;
}

function EditedPrompt({ message, takesFocus, onClose }: EditedPromptProps) {
  const editor = useModule(true, loadEditor);
  return (
    <div ref={leaveFocusToTurn}>
      <div className="flex flex-col items-end">
        <PromptFiles message={message} />
      </div>
      {editor ? <editor.PromptEditor message={message} takesFocus={takesFocus} onClose={onClose} /> : null}
    </div>
  );
}

/** The files that a question came with. */
function PromptFiles({ message: { inputParts } }: { message: Message }) {
  const hasFiles = inputParts?.some(({ kind }) => kind !== 'text') ?? false;
  const files = useModule(hasFiles, loadFiles);
  return files && inputParts ? <files.MessageFiles parts={inputParts} /> : null;
}

/** A question as it was asked, with what can be done to it. */
function TurnPrompt({ message, onEdit }: { message: Message; onEdit: () => void }) {
  const { t } = useTranslation('common');
  const { canAsk } = useTurnActions();
  return (
    <div className="flex flex-col items-end">
      <PromptFiles message={message} />
      <p
        dir="auto"
        className={classNames(
          'max-w-[85%] whitespace-pre-wrap rounded-card bg-sunken px-4 py-2.5 wrap-anywhere print:border print:border-line',
          latinClass(message.content),
        )}
      >
        {message.content}
      </p>
      <div className="mt-1 -mb-6 flex min-h-8 text-soft text-sm print:hidden">
        <CopyText read={() => message.content} label={t('chat.copyPrompt')} />
        {canAsk ? (
          <button
            type="button"
            title={t('chat.editPrompt')}
            aria-label={t('chat.editPrompt')}
            onClick={onEdit}
            className={`${TURN_ACTION} ${QUIET}`}
          >
            <Pencil aria-hidden size={16} strokeWidth={1.5} />
          </button>
        ) : null}
      </div>
    </div>
  );
}
