import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Message, SendMessage } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { Draft } from '../composer/draft.ts';
import { doubtfulIn, forgetDoubtful, noteDoubtful } from '../messages/doubtful-messages.ts';
import { mayHaveArrived, type Refusal, refusalText } from '../messages/failure-text.ts';
import { QUOTES_KEY } from '../quote/use-quote.ts';

/** Refusals of a page whose catalogue is out of date. */
const STALE_CATALOGUE: ReadonlySet<string> = new Set([
  'model_not_allowed',
  'model_paused',
  'quote_changed',
  'not_configured',
]);

/** What keeps the last message from going out. */
export type Problem = Refusal | null;

export interface DeliveryInput {
  conversationId: string;
  messages: readonly Message[];
  draft: Draft;
  /** Nothing can be sent for a while, and how that begins. */
  pause: { refusal: ApiError } | null;
  beginPause: (refusal: ApiError) => void;
}

/** Conversations in which a message that was sent from this page has arrived. */
const begun = new Set<string>();

/** Whether a message that was sent from this page has arrived in the conversation. */
export function hasBegun(conversationId: string): boolean {
  return begun.has(conversationId);
}

/** What becomes of the message sent last: it arrived, was refused, or is unknown until the live channel reports it. */
export function useDelivery({ conversationId, messages, draft, pause, beginPause }: DeliveryInput) {
  const translation = useTranslation('common');
  const client = useQueryClient();
  const busy = useRef(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [isShort, setShort] = useState(false);
  const isOnScreen = useOnScreen();
  const isFirst = messages.length === 0;
  const begin = useCallback(
    (message: SendMessage) => {
      busy.current = true;
      noteDoubtful(message, isFirst);
      setProblem(null);
      setShort(false);
      if (isDraft(draft, message)) draft.beginSending(message.id);
    },
    [isFirst, draft],
  );
  const arrived = useCallback(
    ({ id, content, files = [] }: SendMessage) => {
      begun.add(conversationId);
      forgetDoubtful(conversationId);
      setProblem(null);
      const wasOnWay = draft.endSending(id, true);
      draft.attachments.takeOffSent(files);
      // It had come back, or its page was loaded anew; what is written while it is on its way is another one, whatever it says.
      if (!wasOnWay && draft.read().trim() === content) draft.write('');
      refreshUnlessLive(client);
    },
    [client, conversationId, draft],
  );
  const refuseShort = useCallback((alert: string) => {
    setShort(true);
    showAlert(alert);
  }, []);
  const refused = useCallback(
    (refusal: ApiError, { id }: SendMessage) => {
      if (!mayHaveArrived(refusal)) forgetDoubtful(conversationId);
      draft.endSending(id, false);
      const error = draft.attachments.markDeleted(refusal);
      if (error.code === 'too_many_unanswered') return beginPause(error);
      // The composer says another sentence of it, as specified.
      if (error.code === 'insufficient_credits') refuseShort(refusalText(translation, error).alert);
      else if (isOnScreen.current) setProblem(error);
      else showAlert(refusalText(translation, error).alert);
      void client.invalidateQueries({ queryKey: ['me'] });
      if (STALE_CATALOGUE.has(error.code)) void client.invalidateQueries({ queryKey: ['catalogue'] });
      if (error.code === 'quote_changed') void client.invalidateQueries({ queryKey: QUOTES_KEY });
    },
    [client, conversationId, draft, translation, beginPause, refuseShort, isOnScreen],
  );
  const refusal = pause?.refusal ?? problem;
  useEffect(() => {
    const sent = doubtfulIn(conversationId);
    if (!busy.current && sent && messages.some(({ id }) => id === sent.id)) arrived(sent);
  }, [conversationId, messages, arrived]);
  return {
    busy,
    begin,
    arrived,
    refused,
    refuseShort,
    isShort,
    problem: refusal && refusalText(translation, refusal),
  };
}

/** Whether what asks is still on screen. */
function useOnScreen(): RefObject<boolean> {
  const isOnScreen = useRef(true);
  useEffect(() => {
    isOnScreen.current = true;
    return () => {
      isOnScreen.current = false;
    };
  }, []);
  return isOnScreen;
}

/** Whether the message is what stands in the composer, and not one that is asked again. */
function isDraft(draft: Draft, { content, files = [] }: SendMessage): boolean {
  const ids = draft.attachments.read().map(({ id }) => id);
  return draft.read().trim() === content && ids.join() === files.join();
}
