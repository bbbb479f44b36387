import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Conversation, DeletedConversation, UpdateConversation } from '#contract/chat.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { showAlert, showNotice } from '#web/ui/toast-store.ts';
import { messagesKey } from '../messages/message-cache.ts';
import { deleteCachedConversation, putConversation } from './conversation-cache.ts';

export interface ConversationActions {
  rename(conversation: Conversation, title: string): Promise<void>;
  pin(conversation: Conversation, pinned: boolean): Promise<void>;
  /** Archives or takes out again; the notice offers to undo it. */
  archive(conversation: Conversation, archived: boolean): Promise<void>;
  /** Keeps a temporary one for good. */
  keep(conversation: Conversation): Promise<void>;
  /** Deletes at once; the notice offers to undo it. */
  remove(conversation: Conversation): Promise<void>;
  download(conversation: Conversation, format: 'md' | 'json'): void;
}

/** What can be done with a conversation. It shows at once and is put back when the server refuses. */
export function useConversationActions(currentId: string): ConversationActions {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const navigate = useNavigate();
  const pathTo = useLocalPath();
  const newChat = pathTo('chat');
  return useMemo(() => {
    const attempt = async (before: Conversation, act: () => Promise<void>) => {
      try {
        await act();
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'not_found') deleteCachedConversation(client, before.id);
        else putConversation(client, before);
        showAlert(t('chat.changeFailed'));
        return false;
      }
    };
    const change = (before: Conversation, expected: Partial<Conversation>, update: UpdateConversation) => {
      putConversation(client, { ...before, ...expected });
      return attempt(before, async () =>
        putConversation(client, await changeConversation(before.id, update)),
      );
    };
    const pin = async (before: Conversation, pinned: boolean) =>
      void (await change(before, { pinnedAt: pinned ? Date.now() : null, archivedAt: null }, { pinned }));
    const archive = async (before: Conversation, archived: boolean) => {
      const expected = { archivedAt: archived ? Date.now() : null, pinnedAt: null };
      if (!(await change(before, expected, { archived })) || !archived) return;
      const undo = () => (before.pinnedAt === null ? archive(before, false) : pin(before, true));
      showNotice(t('chat.archived'), { label: t('chat.undo'), run: () => void undo() });
    };
    const restore = (before: Conversation) =>
      attempt(before, async () => {
        putConversation(client, await restoreConversation(before.id));
        await client.invalidateQueries({ queryKey: messagesKey(before.id) });
      });
    const remove = async (before: Conversation) => {
      deleteCachedConversation(client, before.id);
      const deletion = attempt(before, async () => void (await deleteConversation(before.id)));
      if (before.id === currentId) await navigate(newChat);
      if (!(await deletion)) return;
      client.removeQueries({ queryKey: messagesKey(before.id) });
      showNotice(t('chat.deleted'), { label: t('chat.undo'), run: () => void restore(before) });
    };
    return {
      rename: async (before, title) => void (await change(before, { title }, { title })),
      pin,
      archive,
      keep: async (before) => void (await change(before, { temporary: false }, { temporary: false })),
      remove,
      download: ({ id }, format) => window.location.assign(exportAddress(id, format)),
    };
  }, [client, navigate, newChat, currentId, t]);
}

/** Changes a conversation and returns what it is now. Throws `ApiError`. */
function changeConversation(id: string, change: UpdateConversation): Promise<Conversation> {
  return callApi<Conversation>(`/api/conversations/${id}`, { method: 'PATCH', body: change });
}

/** Deletes a conversation; for a while `restoreConversation` brings it back. Throws `ApiError`. */
function deleteConversation(id: string): Promise<DeletedConversation> {
  return callApi<DeletedConversation>(`/api/conversations/${id}`, { method: 'DELETE', keepalive: true });
}

/** Brings back a conversation that was just deleted. Throws `ApiError`. */
function restoreConversation(id: string): Promise<Conversation> {
  return callApi<Conversation>(`/api/conversations/${id}/restore`, { method: 'POST' });
}

/** Where a conversation is downloaded from, as a file. */
function exportAddress(id: string, format: 'md' | 'json'): string {
  return `/api/conversations/${id}/export?format=${format}`;
}
