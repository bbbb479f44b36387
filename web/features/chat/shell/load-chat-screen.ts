import type { ReactNode } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { preloadMarkdown } from '../answer/load-markdown.ts';

/**
 * Fetches the chat of a signed-in reader, and for an address that names a conversation the renderer of its answers beside it.
 * Where it does not come, drawing it fails: the crash page says so.
 */
export async function loadChatScreen(): Promise<{ ChatScreen: (props: { user: UserRecord }) => ReactNode }> {
  if (/\/chat\/./.test(location.pathname)) preloadMarkdown();
  try {
    return await import('./chat-screen.tsx');
  } catch (error) {
    return {
      ChatScreen() {
        throw error;
      },
    };
  }
}
