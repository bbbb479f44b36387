import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ConversationState } from './use-conversation.ts';

/** The search parameter that names the message to be shown. */
export const TARGET = 'message';

interface Revealing {
  scroller: { current: HTMLElement | null };
  show(element: HTMLElement): void;
}

/** Brings the message that the address names into sight, in its branch. */
export function useTarget(
  conversation: ConversationState,
  isDrawn: boolean,
  { scroller, show }: Revealing,
): void {
  const { t } = useTranslation('common');
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const [search] = useSearchParams();
  const target = search.get(TARGET);
  const { loaded, branch } = conversation;
  const isReady = loaded.state === 'ready';
  const isShown = isDrawn && branch.turns.some(({ message }) => message.id === target);

  const reveal = useEffectEvent((messageId: string) => {
    branch.reveal(messageId).catch(() => showAlert(t('chat.messagesFailed')));
  });
  useEffect(() => {
    if (target && isReady) reveal(target);
  }, [target, isReady]);

  useEffect(() => {
    if (!target || !isShown) return;
    const turn = scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(target)}"]`);
    if (!turn) return;
    show(turn);
    turn.focus({ preventScroll: true });
    const words = wordsOf(state);
    void markWords(turn, words);
    void navigate(pathname, { replace: true, state: null });
  }, [target, isShown, scroller, show, navigate, pathname, state]);
}

/** Marks the words once the turn is drawn; when the code does not come, they stay unmarked. */
async function markWords(turn: HTMLElement, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const marking = await import('./highlight-words.ts').catch(() => null);
  setTimeout(() => marking?.highlightWords(turn, words), 300);
}

/** The words searched for, which the search gives along. */
function wordsOf(state: unknown): string[] {
  const { words } = (state ?? {}) as { words?: unknown };
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string' && word !== '') : [];
}
