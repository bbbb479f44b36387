import type { ReactNode } from 'react';
import { preloadMarkdown } from '../answer/load-markdown.ts';
import type { ChatScreenProps } from './chat-screen.tsx';

/**
 * Fetches the chat of a signed-in reader, and for an address that names a conversation the renderer of its answers beside it.
 * Where it does not come, drawing it fails: the crash page says so.
 */
export async function loadChatScreen(): Promise<{ ChatScreen: (props: ChatScreenProps) => ReactNode }> {
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
