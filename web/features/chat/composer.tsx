import {
  type FormEvent,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ComposerNote } from './composer-note.tsx';
import type { Draft } from './draft.ts';
import { createEnterRule } from './enter-sends.ts';
import { SendButton } from './send-button.tsx';
import { StopButton } from './stop-button.tsx';
import { useGrowingField } from './use-growing-field.ts';

export type ComposerState = 'ready' | 'sending' | 'running' | 'unavailable';

interface ComposerProps {
  draft: Draft;
  state: ComposerState;
  /** The text on its way to the server: no longer shown here, but not yet given up. */
  sendingText: string | null;
  /** What a message costs and what the reader has, in credits; null while not known. */
  cost: number | null;
  credits: number;
  modelTitle: string;
  /** Why the last message did not go out. */
  problem: string | null;
  onSend: (text: string) => void;
  /** Gives back false when it did not work. */
  onStop: () => Promise<boolean>;
}

/** Where a question is written and sent. It redraws while its own text changes, not while an answer streams. */
export const Composer = memo((props: ComposerProps) => {
  const { draft, state, sendingText, cost, credits, onSend } = props;
  const { t } = useTranslation('common');
  const kept = useSyncExternalStore(draft.subscribe, draft.read, () => '');
  const text = sendingText !== null && kept.trim() === sendingText ? '' : kept;
  const field = useRef<HTMLTextAreaElement>(null);
  const [enterRule] = useState(createEnterRule);
  const noteId = useId();
  useGrowingField(field, text);
  const focusField = useCallback(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  useEffect(focusField, [focusField]);

  const isShort = cost !== null && credits < cost;
  const submit = () => {
    if (text.trim() !== '' && state === 'ready') onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const verdict = enterRule.keyDown(event.nativeEvent);
    if (verdict !== 'pass') event.preventDefault();
    if (verdict === 'send') submit();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
    focusField();
  };
  const onStop = () => {
    focusField();
    return props.onStop();
  };
  return (
    <form
      onSubmit={onSubmit}
      className="rounded-card border border-edge bg-raised focus-within:border-ink focus-within:ring-1 focus-within:ring-ink"
    >
      <textarea
        ref={field}
        rows={1}
        value={text}
        readOnly={state === 'sending'}
        aria-label={t('chat.prompt')}
        aria-describedby={noteId}
        placeholder={t('chat.placeholder')}
        enterKeyHint="send"
        onChange={(event) => draft.write(event.target.value)}
        onKeyDown={onKeyDown}
        onCompositionStart={enterRule.compositionStart}
        onCompositionEnd={(event) => enterRule.compositionEnd(event.timeStamp)}
        className="field-sizing-content block max-h-[40dvh] w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-soft"
      />
      <div className="flex flex-wrap items-center justify-end gap-x-3 py-2 pr-2 pl-4">
        <ComposerNote id={noteId} state={state} isShort={isShort} problem={props.problem} />
        <span className="truncate text-soft text-sm tabular-nums">
          {cost === null ? null : `${props.modelTitle} · ${t('chat.modelPrice', { cost })}`}
        </span>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a press on a button leaves the focus in the field. */}
        <span onMouseDown={(event) => event.preventDefault()} className="shrink-0">
          {state === 'running' ? (
            <StopButton onStop={onStop} />
          ) : (
            <SendButton
              sending={state === 'sending'}
              disabled={text.trim() === '' || isShort || state !== 'ready'}
              describedBy={noteId}
            />
          )}
        </span>
      </div>
    </form>
  );
});
