import type { ReactNode } from 'react';
import { preloadModule } from '#web/lib/use-module.ts';
import { preloadMarkdown } from '../answer/load-markdown.ts';
import { preloadStarters } from '../composer/starters/load-starters.ts';
import { isWide } from '../list/is-wide.ts';
import { loadQueuedList } from '../queue/load-queued-list.ts';
import { loadTurns } from '../turn/load-turns.ts';
import type { ChatScreenProps } from './chat-screen.tsx';
import { loadSide } from './load-side.ts';

/**
 * Fetches the chat of a signed-in reader; where there is room the list at its side, so that nothing moves when it comes; for an
 * address that names a conversation what its answers and its waiting messages are drawn with, and for a new one what it may begin with.
 * Where it does not come, drawing it fails: the crash page says so.
 */
export async function loadChatScreen(): Promise<{ ChatScreen: (props: ChatScreenProps) => ReactNode }> {
  const isBegun = /\/chat\/./.test(location.pathname);
  const side = isWide() ? preloadModule(loadSide) : null;
  const middle = isBegun ? [preloadModule(loadTurns), preloadModule(loadQueuedList)] : [preloadStarters()];
  if (isBegun) preloadMarkdown();
  try {
    const { ChatScreen } = await import('./chat-screen.tsx');
    await Promise.all([side, ...middle]);
    return { ChatScreen };
  } catch (error) {
    return {
      ChatScreen() {
        throw error;
      },
    };
  }
}
