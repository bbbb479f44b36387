import {
  type FormEvent,
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { useModule } from '#web/lib/use-module.ts';
import { growField } from '#web/ui/text-area.tsx';
import { lacksVision } from '../files/use-attachments.ts';
import { usePaste } from '../files/use-paste.ts';
import type { Refusal } from '../messages/failure-text.ts';
import { ComposerFoot } from './composer-foot.tsx';
import type { ComposerState } from './composer-state.ts';
import type { Draft } from './draft.ts';
import type { Carried } from './extras-note.tsx';
import { QueueButton, SendButton, StopButton } from './send-button.tsx';

const loadList = () => import('../files/attachment-list.tsx');

export interface ComposerProps {
  draft: Draft;
  state: ComposerState;
  models: readonly CatalogueModel[];
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  onChooseModel: (id: string) => void;
  /** What the reader has. */
  credits: number;
  /** An answer of this conversation is on screen: what may be bought is spoken of only then, or when nothing is left. */
  isAnswered: boolean;
  /** What the message carries besides its text, and what it may cost. */
  outgoing: Carried;
  /** Why the last message did not go out. */
  problem: Refusal | null;
  /** It did not because it costs more than the reader has. */
  isShort: boolean;
  /** What is sent now waits behind other messages. */
  isQueueing: boolean;
  /** Sends the draft, has it wait for the running answer, or until it can be sent (`isAwaited`). */
  onSubmit: () => void;
  isAwaited: boolean;
  /** The text changed: nothing waits any longer. */
  onChange: () => void;
  /** Returns false when it did not work. */
  onStop: () => Promise<boolean>;
}

/**
 * Where a question is written and sent. The field keeps its own text, so that a key draws nothing else anew; nor does
 * it redraw while an answer streams.
 */
export const Composer = memo((props: ComposerProps) => {
  const { draft, state, model, credits, isAwaited } = props;
  const { t } = useTranslation('common');
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const isEmpty = useSyncExternalStore(draft.subscribe, () => draft.read().trim() === '');
  useLayoutEffect(() => {
    const show = () => showText(field.current, draft.read());
    show();
    return draft.subscribe(show);
  }, [draft]);
  const focusField = useCallback(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  useEffect(focusField, [focusField]);

  const { files, quote } = props.outgoing;
  const { attachments } = draft;
  const list = useModule(files.state !== 'none', loadList);
  const onFiles = useCallback((added: readonly File[]) => attachments.add(added), [attachments]);
  const paste = usePaste(draft, onFiles);
  const cost = model?.cost ?? null;
  const left = cost === null ? null : Math.floor(credits / cost);
  const isTooDear = quote.max !== null && quote.max > credits;
  const isHeld = files.state === 'failed' || lacksVision(model, files) || quote.error !== null || isTooDear;
  const isUnpriced = quote.max === null && quote.isPending;
  const cannotSend = isEmpty || left === 0 || isHeld || (isUnpriced && !quote.isUnread);
  const canQueue = (state === 'running' || state === 'sending') && !isEmpty;
  const keys = useEnterKey({ onEnter: props.onSubmit });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
    focusField();
  };
  const onStop = () => {
    focusField();
    return props.onStop();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: buttons in it are pressed by keys as clicks too.
    <form
      onSubmit={onSubmit}
      onClick={() => requestAnimationFrame(() => isFocusLost() && focusField())}
      className="rounded-card border border-edge bg-raised transition-[border-color,box-shadow] [contain:content] focus-within:border-soft focus-within:shadow-halo"
    >
      {list && files.state !== 'none' ? <list.AttachmentList attachments={attachments} /> : null}
      <textarea
        ref={field}
        dir="auto"
        rows={1}
        aria-label={t('chat.prompt')}
        aria-describedby={noteId}
        placeholder={t(model?.pictures ? 'chat.placeholderImage' : 'chat.placeholder')}
        enterKeyHint="send"
        onChange={(event) => {
          props.onChange();
          draft.write(event.target.value);
        }}
        {...keys}
        onPaste={paste.onPaste}
        data-composer
        className="field-sizing-content block max-h-[40dvh] w-full resize-none bg-transparent px-[calc(var(--inset)-1px)] pt-3 pb-1 outline-none placeholder:text-soft"
      />
      <ComposerFoot {...props} id={noteId} left={left} isEmpty={isEmpty} paste={paste}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a press on a button leaves the focus in the field. */}
        <span onMouseDown={(event) => event.preventDefault()} className="flex shrink-0 gap-2">
          {(state === 'running' || state === 'sending') && !isEmpty ? (
            <QueueButton describedBy={noteId} />
          ) : null}
          {state === 'running' ? (
            <StopButton onStop={onStop} isCompact={canQueue} />
          ) : (
            <SendButton
              sending={state === 'sending' || isAwaited}
              disabled={cannotSend || state !== 'ready'}
              isUnpriced={isUnpriced}
              describedBy={noteId}
            />
          )}
        </span>
      </ComposerFoot>
    </form>
  );
});

/** A button that goes away with what it did, such as the one that removes a file, leaves the focus nowhere. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Writes into the field what it does not have already, by its own keys or before. */
function showText(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  if (field.value !== text) field.value = text;
  growField(field);
}
