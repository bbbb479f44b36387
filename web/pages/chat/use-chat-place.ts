import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { keepChatPlace } from '#web/lib/chat-place.ts';

/** Keeps where in the chat this tab is. */
export function useChatPlace(): void {
  const { pathname } = useLocation();
  useEffect(() => keepChatPlace(pathname), [pathname]);
}
