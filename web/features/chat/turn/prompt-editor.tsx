import { useEffect, useId, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { Button } from '#web/ui/button.tsx';
import { useGrowingField } from '#web/ui/text-area.tsx';
import { ModelMenu } from '../composer/model-menu.tsx';
import { priceAgain } from '../quote/extra-cost.ts';
import { useTurnActions } from './turn-actions.ts';

interface PromptEditorProps {
  message: Message;
  /** At once, and comes into sight. */
  takesFocus: boolean;
  onClose: () => void;
}

/** A question being written anew, in its place. Sending it makes a version beside the old one, which stays. */
export function PromptEditor({ message, takesFocus, onClose }: PromptEditorProps) {
  const { t } = useTranslation('common');
  const { edits, models, model, chooseModel, canAsk, askBeside } = useTurnActions();
  const [text, setText] = useState(edits.get(message.id) ?? message.content);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  useGrowingField(field, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes the box grow.
  useEffect(() => {
    if (takesFocus || document.activeElement === field.current)
      void box.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  useEffect(() => {
    const { current } = field;
    if (!takesFocus) return;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [takesFocus]);
  const cost = priceAgain(message, model);
  const content = text.trim();

  const change = (value: string) => {
    edits.set(message.id, value);
    setText(value);
  };
  const cancel = () => {
    edits.delete(message.id);
    onClose();
  };
  const send = async () => {
    if (!model || !canAsk || content === '') return;
    edits.set(message.id, text);
    if (await askBeside(message, { content, model })) cancel();
  };
  const keys = useEnterKey({ onEnter: () => void send(), onEscape: cancel });
  return (
    <div
      ref={box}
      className="scroll-my-4 rounded-card border border-edge bg-raised focus-within:border-soft focus-within:shadow-halo"
    >
      <textarea
        ref={field}
        dir="auto"
        rows={1}
        value={text}
        aria-label={t('chat.editPrompt')}
        aria-describedby={noteId}
        enterKeyHint="send"
        onChange={(event) => change(event.target.value)}
        {...keys}
        className="field-sizing-content block max-h-[50dvh] w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-hidden"
      />
      <div className="flex flex-wrap items-center justify-end gap-x-2 py-2 pr-2 pl-4">
        <p id={noteId} className="w-full pb-2 text-soft text-sm">
          {t('chat.editNote')}
        </p>
        <span className="-ml-2 mr-auto flex min-w-0 flex-wrap items-center gap-x-2 text-soft text-sm tabular-nums">
          <ModelMenu models={models} model={model} onChoose={chooseModel} price="beside" />
          {cost === null ? null : t('chat.modelPrice', { cost })}
        </span>
        <span className="flex gap-2">
          <Button variant="quiet" size="small" onClick={cancel}>
            {t('dialog.cancel')}
          </Button>
          <Button size="small" disabled={content === '' || !canAsk} onClick={() => void send()}>
            {t('chat.send')}
          </Button>
        </span>
      </div>
    </div>
  );
}
