import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useLocalPath } from '#web/lib/use-language.ts';

/** Gives the act of leading to another conversation. */
export function useLeadTo(): (conversationId: string) => void {
  const navigate = useNavigate();
  const pathTo = useLocalPath();
  const chat = pathTo('chat');
  return useCallback((conversationId) => void navigate(`${chat}/${conversationId}`), [navigate, chat]);
}
