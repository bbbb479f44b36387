import { useCallback, useMemo, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type Choices, choicesTo, type Turn, threadOf } from '../messages/thread.ts';
import type { Messages } from '../messages/use-messages.ts';

export interface Branch {
  /** The part of the branch that is on screen, from above to below. */
  turns: readonly Turn[];
  /** The last of `turns` is the end of the branch. */
  isEnd: boolean;
  /** Read the page above and below `turns`; null where there is none. */
  loadOlder: (() => Promise<void>) | null;
  loadNewer: (() => Promise<void>) | null;
  /**
   * Shows the part of a branch that a message is in, and reads it unless it is there; false where its reader went on meanwhile. Throws
   * `ApiError`.
   */
  reveal(messageId: string): Promise<boolean>;
  /** The same for another version of an exchange; says when it does not come. */
  choose(messageId: string): void;
  /**
   * Shows the end of this branch and returns its last message, null while there is none; undefined when it does not come, which is said,
   * or its reader went on meanwhile.
   */
  toEnd(): Promise<string | null | undefined>;
  /** Shows the newest answer under a message, whatever was chosen there; returns how to undo that. */
  release(parentId: string | null): () => void;
}

/** The branch on screen, the message on its way included, and the reader's choices in it. */
export function useBranch({ known, read, readMessage }: Messages, pending: Message | null): Branch {
  const { t } = useTranslation('common');
  const [choices, setChoices] = useState<Choices>({});
  const [anchor, setAnchor] = useState<string | null>(null);
  const turns = useMemo(() => {
    const { messages } = known;
    const isKnown = !pending || messages.some(({ id }) => id === pending.id);
    return threadOf(isKnown ? known : { ...known, messages: [...messages, pending] }, choices, anchor);
  }, [known, pending, choices, anchor]);

  /** What was wanted on screen last: what comes after something else was wanted is not shown in its place. */
  const wanted = useRef<string | symbol | null>(null);
  const reveal = useCallback(
    async (messageId: string) => {
      wanted.current = messageId;
      const { messages } = await readMessage(messageId);
      if (wanted.current !== messageId) return false;
      setAnchor(messageId);
      setChoices((before) => ({ ...before, ...choicesTo(messages, messageId) }));
      return true;
    },
    [readMessage],
  );
  const choose = useCallback(
    (messageId: string) => void reveal(messageId).catch(() => showAlert(t('chat.messagesFailed'))),
    [reveal, t],
  );
  const first = turns[0]?.message;
  const last = turns.at(-1)?.message;
  const lastId = last?.id ?? null;
  const isEnd = lastId === null || last === pending || known.leaves.includes(lastId);
  const toEnd = useCallback(async () => {
    if (isEnd || lastId === null) return lastId;
    const before = wanted.current;
    try {
      const { leafId } = await read({ branch: lastId, after: lastId });
      if (wanted.current !== before && wanted.current !== leafId) return undefined;
      return leafId === null || (await reveal(leafId)) ? leafId : undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showAlert(t('chat.messagesFailed'));
      return undefined;
    }
  }, [isEnd, lastId, read, reveal, t]);
  const release = useCallback((parentId: string | null) => {
    const key = parentId ?? '';
    let chosen: string | undefined;
    wanted.current = Symbol();
    setChoices(({ [key]: before, ...others }) => {
      chosen = before;
      return others;
    });
    return () => setChoices((now) => (chosen === undefined ? now : { ...now, [key]: chosen }));
  }, []);
  return {
    turns,
    isEnd,
    loadOlder:
      first?.parentId && first !== pending
        ? async () => void (await read({ branch: first.id, before: first.id }))
        : null,
    loadNewer: isEnd ? null : async () => void (await read({ branch: lastId, after: lastId })),
    reveal,
    choose,
    toEnd,
    release,
  };
}
