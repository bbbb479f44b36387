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
import { PROMPT_LIMIT } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { classNames } from '#web/ui/class-names.ts';
import { growField } from '#web/ui/text-area.tsx';
import { ComposerNote } from './composer-note.tsx';
import type { Draft } from './draft.ts';
import { ModelMenu } from './model-menu.tsx';
import { SendButton, StopButton } from './send-button.tsx';

/** From this share of the limit on, the length of a question is shown. */
const COUNT_FROM = 0.9;

export type ComposerState = 'loading' | 'ready' | 'sending' | 'running' | 'paused' | 'unavailable';

interface ComposerProps {
  draft: Draft;
  state: ComposerState;
  /** The text on its way to the server: no longer shown here, but not yet given up. */
  sendingText: string | null;
  models: readonly CatalogueModel[];
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  onChooseModel: (id: string) => void;
  /** What the reader has. */
  credits: number;
  /** Why the last message did not go out. */
  problem: string | null;
  /** Sends the draft, or has it wait until it can be sent (`isAwaited`). */
  onSubmit: () => void;
  isAwaited: boolean;
  /** The text changed: nothing waits any longer. */
  onChange: () => void;
  /** Gives back false when it did not work. */
  onStop: () => Promise<boolean>;
}

/**
 * Where a question is written and sent. The field keeps its own text, so that a key draws nothing else anew; nor does
 * it redraw while an answer streams.
 */
export const Composer = memo((props: ComposerProps) => {
  const { draft, state, sendingText, models, model, credits, isAwaited } = props;
  const { t } = useTranslation('common');
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const read = useCallback(() => {
    const text = draft.read();
    return sendingText !== null && text.trim() === sendingText ? '' : text;
  }, [draft, sendingText]);
  const isEmpty = useSyncExternalStore(draft.subscribe, () => read().trim() === '');
  useLayoutEffect(() => {
    const show = () => showText(field.current, read());
    show();
    return draft.subscribe(show);
  }, [draft, read]);
  const focusField = useCallback(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  useEffect(focusField, [focusField]);

  const cost = model?.cost ?? null;
  const left = cost === null ? null : Math.floor(credits / cost);
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
    <form
      onSubmit={onSubmit}
      className="rounded-card border border-edge bg-raised [contain:content] focus-within:border-ink"
    >
      <textarea
        ref={field}
        rows={1}
        readOnly={state === 'sending'}
        aria-label={t('chat.prompt')}
        aria-describedby={noteId}
        placeholder={t('chat.placeholder')}
        enterKeyHint="send"
        onChange={(event) => {
          props.onChange();
          draft.write(event.target.value);
        }}
        {...keys}
        data-composer
        className="field-sizing-content block max-h-[40dvh] w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-soft"
      />
      <div className="flex flex-wrap items-center justify-end gap-x-3 py-2 pr-2 pl-4">
        <ComposerNote id={noteId} state={state} left={left} problem={props.problem} />
        <CharacterCount draft={draft} read={read} />
        {model ? <ModelMenu models={models} model={model} onChoose={props.onChooseModel} withPrice /> : null}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a press on a button leaves the focus in the field. */}
        <span onMouseDown={(event) => event.preventDefault()} className="shrink-0">
          {state === 'running' ? (
            <StopButton onStop={onStop} />
          ) : (
            <SendButton
              sending={state === 'sending' || isAwaited}
              disabled={isEmpty || left === 0 || state !== 'ready'}
              describedBy={noteId}
            />
          )}
        </span>
      </div>
    </form>
  );
});

/** Writes into the field what it does not have already, by its own keys or before. */
function showText(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  if (field.value !== text) field.value = text;
  growField(field);
}

/** How much of the limit a long question takes; nothing is said of a short one. */
function CharacterCount({ draft, read }: { draft: Draft; read: () => string }) {
  const { t } = useTranslation('common');
  const length = useSyncExternalStore(draft.subscribe, () => {
    const count = read().trim().length;
    return count < PROMPT_LIMIT * COUNT_FROM ? 0 : count;
  });
  if (length === 0) return null;
  return (
    <span
      role="status"
      className={classNames('text-sm tabular-nums', length > PROMPT_LIMIT ? 'text-danger' : 'text-soft')}
    >
      {t('chat.characterCount', { count: length, limit: PROMPT_LIMIT })}
    </span>
  );
}
