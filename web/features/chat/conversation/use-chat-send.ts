import { useCallback, useRef } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import { bare, extrasOf, priceAgain } from '../quote/extra-cost.ts';
import type { Extras } from '../quote/use-quote.ts';
import { type AskInput, type Question, useAsk } from './use-ask.ts';
import type { Problem } from './use-delivery.ts';
import type { Outgoing } from './use-outgoing.ts';
import type { QueueState } from './use-queue.ts';
import { useSubmit } from './use-submit.ts';

interface SendInput extends AskInput {
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  outgoing: Outgoing;
  state: ComposerState;
  /** What is sent while an answer runs waits there. */
  queue: Pick<QueueState, 'isMoving' | 'add' | 'items' | 'hold' | 'letGo'>;
  /** Shows the end of the branch and returns its last message; undefined when it does not come. */
  toEnd: () => Promise<string | null | undefined>;
}

export interface ChatSend {
  /** Enter and the button: sends the draft. Before everything is here, it goes out as soon as it is. */
  submit(): void;
  /** Takes back a `submit` that still waits. */
  cancelSubmit(): void;
  isAwaited: boolean;
  /** Asks under the last message, of the model in use; `max`: the most that was shown that it costs. */
  send(text: string, extras: Extras, max: number): Promise<void>;
  /** Asks beside a message: the same question again, or another one; true when the server has it. */
  askBeside(message: Message, asked: { content?: string; model: CatalogueModel }): Promise<boolean>;
  /** Sends the first message that waits, under the last one, for at most `max`; it waits until the server has it. */
  sendQueued(model: CatalogueModel, max: number): Promise<void>;
  /** What keeps the last message from going out, in words. */
  problem: Problem;
  /** A message was refused because it costs more than the reader has, and none was sent since. */
  isShort: boolean;
}

/**
 * Sends into a conversation, one message at a time: the whole way from Enter to the request. Each message has an id made here once;
 * one whose fate is unknown is sent again under the same id, so that it counts and costs once.
 */
export function useChatSend(input: SendInput): ChatSend {
  const { model, queue, toEnd, outgoing } = input;
  const { extras, quote } = outgoing;
  const { ask, problem, isShort } = useAsk(input);
  const { max } = quote;
  // The end may have to be read first: a second press meanwhile sends nothing.
  const isOnWay = useRef(false);
  const askAtEnd = useCallback(
    async (question: Omit<Question, 'parentId'>) => {
      if (isOnWay.current) return;
      isOnWay.current = true;
      try {
        const parentId = await toEnd();
        if (parentId !== undefined) await ask({ ...question, parentId });
      } finally {
        isOnWay.current = false;
      }
    },
    [ask, toEnd],
  );
  const send = useCallback(
    async (content: string, carried: Extras, shown: number) => {
      if (model) await askAtEnd({ content, model, extras: carried, max: shown });
    },
    [askAtEnd, model],
  );
  const sendDraft = useCallback(
    async (content: string) => {
      if (max !== null) await send(content, extras, max);
    },
    [send, extras, max],
  );
  const askBeside: ChatSend['askBeside'] = useCallback(
    (message, asked) => {
      const { content = message.content, model: one } = asked;
      const { parentId } = message;
      const max = priceAgain(message, one) ?? 0;
      return ask({ content, parentId, model: one, extras: extrasOf(message, one), max, isAgain: true });
    },
    [ask],
  );
  const { hold, letGo } = queue;
  const [first] = queue.items;
  const sendQueued = useCallback(
    async (asked: CatalogueModel, shown: number) => {
      if (!first || isOnWay.current || !hold(first.id)) return;
      const { id, content, files = [], options } = first;
      const extras = bare(
        files.map(({ id: file }) => file),
        options,
      );
      try {
        await askAtEnd({ id, content, model: asked, extras, max: shown });
      } finally {
        letGo(id);
      }
    },
    [askAtEnd, first, hold, letGo],
  );
  return {
    ...useSubmit({ ...input, ...outgoing }, sendDraft),
    send,
    askBeside,
    sendQueued,
    problem,
    isShort,
  };
}
