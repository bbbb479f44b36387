import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Message, SendMessage } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { Draft } from '../composer/draft.ts';
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
  messages: readonly Message[];
  draft: Draft;
  /** Nothing can be sent for a while, and how that begins. */
  pause: { refusal: ApiError } | null;
  beginPause: (refusal: ApiError) => void;
}

/** What becomes of the message sent last: it arrived, was refused, or is unknown until the live channel reports it. */
export function useDelivery({ messages, draft, pause, beginPause }: DeliveryInput) {
  const translation = useTranslation('common');
  const client = useQueryClient();
  const busy = useRef(false);
  const doubtful = useRef<SendMessage | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [isShort, setShort] = useState(false);
  const isOnScreen = useOnScreen();
  const begin = useCallback(
    (message: SendMessage) => {
      busy.current = true;
      doubtful.current = message;
      setProblem(null);
      setShort(false);
      if (isDraft(draft, message)) draft.beginSending(message.id);
    },
    [draft],
  );
  const arrived = useCallback(
    ({ id, content, files = [] }: SendMessage) => {
      doubtful.current = null;
      setProblem(null);
      draft.endSending(id, true);
      draft.attachments.takeOffSent(files);
      if (draft.read().trim() === content) draft.write('');
      refreshUnlessLive(client);
    },
    [client, draft],
  );
  const refuseShort = useCallback((alert: string) => {
    setShort(true);
    showAlert(alert);
  }, []);
  const refused = useCallback(
    (refusal: ApiError, { id }: SendMessage) => {
      if (!mayHaveArrived(refusal)) doubtful.current = null;
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
    [client, draft, translation, beginPause, refuseShort, isOnScreen],
  );
  const refusal = pause?.refusal ?? problem;
  useEffect(() => {
    const sent = doubtful.current;
    if (!busy.current && sent && messages.some(({ id }) => id === sent.id)) arrived(sent);
  }, [messages, arrived]);
  return {
    busy,
    doubtful,
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
