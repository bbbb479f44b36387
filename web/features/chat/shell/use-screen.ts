import { useCallback, useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { type ConversationActions, useConversationActions } from '../list/use-conversation-actions.ts';
import type { Conversations } from '../list/use-conversations.ts';
import { type Panel, usePanel } from '../list/use-panel.ts';
import { type Temporary, useConversationOnScreen, useTemporary } from './use-conversation-on-screen.ts';
import { type ModelChoice, useModels } from './use-models.ts';

/** What the chat shows, and what can be done with it from the bar, the side and the palette alike. */
export interface Screen {
  id: string;
  isNew: boolean;
  list: Conversations;
  /** The conversation on screen; undefined while it is new or not known. */
  conversation: Conversation | undefined;
  panel: Panel;
  actions: ConversationActions;
  choice: ModelChoice;
  temporary: Temporary;
  /** The title in the bar is being changed. */
  renaming: boolean;
  rename(renaming: boolean): void;
}

export function useScreen(): Screen {
  const { id, isNew, conversations: list, conversation } = useConversationOnScreen();
  const panel = usePanel();
  const actions = useConversationActions(id);
  const choice = useModels();
  const temporary = useTemporary(id, isNew);
  const [renamed, setRenamed] = useState<string | null>(null);
  const rename = useCallback((renaming: boolean) => setRenamed(renaming ? id : null), [id]);
  return {
    id,
    isNew,
    list,
    conversation,
    panel,
    actions,
    choice,
    temporary,
    renaming: renamed === id,
    rename,
  };
}
