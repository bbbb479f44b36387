import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { v7 as newId } from 'uuid';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message, SendMessage } from '#contract/chat.ts';
import type { InputPart } from '#contract/message/parts.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { partsOf } from '../files/attachments.ts';
import { doubtfulIn } from '../messages/doubtful-messages.ts';
import { type KnownMessages, messagesKey, NOTHING_KNOWN, putMessage } from '../messages/message-cache.ts';
import type { Extras } from '../quote/use-quote.ts';
import { hasArrived, sendMessage } from './send-message.ts';
import { type DeliveryInput, useDelivery } from './use-delivery.ts';

export interface AskInput extends DeliveryInput {
  /** A conversation that begins with this message is to be temporary. */
  temporary: boolean;
  credits: number;
  /** What was shown as the price is not it any more. */
  onQuoteChanged: () => void;
  /** Shows the newest answer under a message, whatever was chosen there; returns how to undo that. */
  release: (parentId: string | null) => () => void;
  /** Shows the message on its way to the server, in the shape of a running one; null ends that. */
  setPending: (message: Message | null) => void;
}

export interface Question {
  /** Chosen before; without it one is made here. */
  id?: string;
  content: string;
  parentId: string | null;
  model: CatalogueModel;
  extras?: Extras;
  /** The most that its sender was shown that it costs; the price of the model where nothing else was. */
  max?: number;
  /** Asked again with what it carried: a file of it that is deleted meanwhile is left out the next time. */
  isAgain?: boolean;
}

/** What goes along only where it was given. */
function givenOf({ files = [], options }: Extras, temporary: boolean) {
  return {
    ...(files.length > 0 ? { files: [...files] } : {}),
    ...(options ? { options } : {}),
    ...(temporary ? { temporary } : {}),
  };
}

/** Sends one message, unless another is on its way; false when the server does not have it, which `problem` then says. */
export function useAsk(input: AskInput) {
  const { conversationId, temporary, credits, draft, release, setPending, onQuoteChanged } = input;
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { busy, problem, isShort, begin, arrived, refused, refuseShort } = useDelivery(input);
  const refusals = useRefusals();
  const ask = useCallback(
    async (question: Question): Promise<boolean> => {
      const { id, content, parentId, model: asked, extras = {}, isAgain = false } = question;
      if (busy.current || asked.cost === null) return false;
      const files = refusals.filesOf(extras, isAgain);
      const given = givenOf({ ...extras, files }, temporary);
      const bare = { conversationId, content, parentId, model: asked.id, ...given };
      const price = refusals.priceOf(bare, question.max ?? asked.cost);
      if (credits < price) {
        refuseShort(t('errors.insufficient_credits', { needed: price, balance: credits }));
        return false;
      }
      const unsent = { ...bare, maxCredits: price };
      const message = { ...unsent, id: id ?? idFor(unsent) };
      const pending = asRunning(message, partsOf(draft.attachments.read(), files));
      begin(message);
      const putBack = release(parentId);
      setPending(pending);
      openConversation(client, conversationId);
      try {
        putMessage(client, await sendMessage(client, message));
        arrived(message);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const isHere = hasArrived(client, message, error);
        if (!isHere) putBack();
        if (isHere) arrived(message);
        else refused(refusals.note(error, message, isAgain), message);
        if (error.code === 'quote_changed') onQuoteChanged();
        return isHere;
      } finally {
        busy.current = false;
        setPending(null);
      }
    },
    [
      client,
      conversationId,
      temporary,
      credits,
      draft,
      release,
      setPending,
      onQuoteChanged,
      refusals,
      busy,
      begin,
      arrived,
      refused,
      refuseShort,
      t,
    ],
  );
  return { ask, problem, isShort };
}

/** What refusals say of a message that is sent again. */
function useRefusals() {
  // The price that was shown when the server refused the one before it: who sends the same again agrees.
  const agreed = useRef<{ key: string; max: number } | null>(null);
  const deleted = useRef(new Set<unknown>()).current;
  return useMemo(
    () => ({
      /** What a message carries, without what is deleted where it `isAgain` what one carried before. */
      filesOf: ({ files = [] }: Extras, isAgain: boolean) =>
        files.filter((file) => !isAgain || !deleted.has(file)),
      priceOf: (message: Omit<SendMessage, 'id'>, shown: number) =>
        agreed.current?.key === keyOf(message) ? Math.max(shown, agreed.current.max) : shown,
      /** Notes a refusal, and returns what is to be said of it. */
      note(error: ApiError, message: SendMessage, isAgain: boolean): ApiError {
        if (error.code === 'quote_changed')
          agreed.current = { key: keyOf(message), max: Number(error.params.max ?? 0) };
        if (error.code !== 'file_deleted') return error;
        deleted.add(error.params.fileId);
        return isAgain ? new ApiError(error.code, { isLeftOut: 1 }) : error;
      },
    }),
    [deleted],
  );
}

/** What makes two messages the same question. */
function keyOf({ content, model, parentId, temporary, files, options }: Omit<SendMessage, 'id'>): string {
  return JSON.stringify([content, model, parentId, temporary ?? false, files ?? [], options ?? {}]);
}

/** The id of the message whose fate is unknown where this is the same one again, else a new one. */
function idFor(unsent: Omit<SendMessage, 'id'>): string {
  const doubtful = doubtfulIn(unsent.conversationId);
  return doubtful && keyOf(doubtful) === keyOf(unsent) ? doubtful.id : newId();
}

/** A conversation that begins here has no messages to read; what the server says of it is then written into this. */
function openConversation(client: QueryClient, conversationId: string): void {
  client.setQueryData<KnownMessages>(messagesKey(conversationId), (known) => known ?? NOTHING_KNOWN);
}

function asRunning(
  { id, conversationId, parentId, content, model, options }: SendMessage,
  files: InputPart[],
): Message {
  return {
    id,
    conversationId,
    parentId,
    content,
    ...(files.length > 0 ? { inputParts: [{ kind: 'text', text: content }, ...files] } : {}),
    ...(options ? { options } : {}),
    userId: '',
    response: '',
    modelType: model,
    creditsUsed: 0,
    timestamp: Date.now(),
    status: 'running',
    error: null,
    modelVersion: null,
    contextTrimmed: false,
    upstreamSwitched: false,
    cost: 0,
    quote: { max: 0, lines: [] },
    charged: null,
    usage: null,
    finishReason: null,
    firstTextMs: null,
    endedAt: null,
  };
}
