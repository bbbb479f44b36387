import { useCallback, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type ComposerState, composerState } from '../composer/composer-state.ts';
import type { Draft } from '../composer/draft.ts';
import { type AttachmentsSummary, useAttachmentsSummary } from '../files/use-attachments.ts';
import { type Messages, useMessages } from '../messages/use-messages.ts';
import { bare } from '../quote/extra-cost.ts';
import { type SearchMode, useSearchMode } from '../quote/search-mode.ts';
import { type ShownQuote, useQuote } from '../quote/use-quote.ts';
import { type Branch, useBranch } from './use-branch.ts';
import { type ChatSend, useChatSend } from './use-chat-send.ts';
import { type Announcement, useEndings } from './use-endings.ts';
import { usePause } from './use-pause.ts';
import { type QueueState, useQueue } from './use-queue.ts';

export interface ConversationInput {
  userId: string;
  id: string;
  isNew: boolean;
  /** A new one is to be kept out of list and search. */
  temporary: boolean;
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  models: readonly CatalogueModel[];
  credits: number;
  draft: Draft;
}

export interface ConversationState {
  loaded: Messages;
  branch: Branch;
  /** The message on its way to the server; it is the last of its `turns`. */
  pending: Message | null;
  /** The answer being written on screen. */
  running: Message | undefined;
  /** What the composer can do now. */
  state: ComposerState;
  /** Sending, and what keeps a message from going out. */
  sending: ChatSend;
  /** The files of the message being written, what it may cost, and whether it searches the web. */
  files: AttachmentsSummary;
  quote: ShownQuote;
  search: { mode: SearchMode; choose: (mode: SearchMode) => void };
  /** The messages that wait for the running answer. */
  queue: QueueState;
  /** Said to those who do not see the screen, about the answer that ended last. */
  announcement: Announcement;
  /** Stops the running answer; false when that did not work. */
  stop(): Promise<boolean>;
}

/** One conversation on screen: its messages, the branch shown, and everything that can be done in it. */
export function useConversation(input: ConversationInput): ConversationState {
  const { userId, id, isNew, temporary, model, models, credits, draft } = input;
  const [pending, setPending] = useState<Message | null>(null);
  const loaded = useMessages(id, isNew);
  const { messages } = loaded.known;
  const branch = useBranch(loaded, pending);
  const announcement = useEndings(messages, pending);
  const running = branch.turns.find(
    ({ message }) => message.status === 'running' && message !== pending,
  )?.message;
  const stop = useStop(running?.id);
  const { pause, begin: beginPause } = usePause(userId);
  const isPaused = pause !== null;
  const state = composerState({ pending, running, loaded: loaded.state, model, isPaused });
  const queue = useQueue({
    userId,
    conversationId: id,
    messages,
    isLoaded: loaded.state === 'ready',
    underWay: pending ?? running ?? null,
    models,
    credits,
    isPaused,
    beginPause,
  });
  const [searchMode, chooseSearch] = useSearchMode(id);
  const files = useAttachmentsSummary(draft.attachments);
  const extras = useMemo(
    () => bare({ files: files.ids, options: { search: searchMode } }),
    [files.ids, searchMode],
  );
  const [hasChanged, setChanged] = useState(false);
  const onQuoteChanged = useCallback(() => setChanged(true), []);
  const last = branch.turns.at(-1)?.message;
  const quote = useQuote({
    conversationId: messages.length > 0 ? id : null,
    parentId: last && last !== pending ? last.id : null,
    model,
    extras,
    isAsked: hasChanged || branch.turns.some(({ message }) => hasFiles(message)),
  });
  const sending = useChatSend({
    conversationId: id,
    messages,
    temporary: isNew && temporary,
    model,
    credits,
    draft,
    files,
    extras,
    quote,
    searchMode,
    onQuoteChanged,
    state,
    queue,
    pause,
    beginPause,
    toEnd: branch.toEnd,
    release: branch.release,
    setPending,
  });
  const search = useMemo(() => ({ mode: searchMode, choose: chooseSearch }), [searchMode, chooseSearch]);
  return {
    loaded,
    branch,
    pending,
    running,
    state,
    sending,
    files,
    quote,
    search,
    queue,
    announcement,
    stop,
  };
}

/** Whether the message gave the model files to read, which may be read again in each turn. */
function hasFiles({ inputParts = [], quote }: Message): boolean {
  return inputParts.some(({ kind }) => kind !== 'text') || quote.lines.some(({ kind }) => kind === 'files');
}

/** Asks the server to stop an answer; its end arrives with the answer's events. */
function useStop(messageId: string | undefined) {
  const { t } = useTranslation('common');
  return useCallback(async () => {
    if (!messageId) return false;
    try {
      await callApi(`/api/messages/${messageId}/stop`, { method: 'POST' });
      return true;
    } catch {
      showAlert(t('chat.stopFailed'));
      return false;
    }
  }, [messageId, t]);
}
