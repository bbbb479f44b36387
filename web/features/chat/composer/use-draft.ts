import { useEffect, useState } from 'react';
import { Draft } from './draft.ts';
import { clearOldDrafts, NEW_CONVERSATION } from './drafts.ts';

/** The unsent text of the conversation on screen; it goes along when a new conversation gets its address. */
export function useDraft(userId: string, conversationId: string, isNew: boolean): Draft {
  const place = isNew ? NEW_CONVERSATION : conversationId;
  const [draft] = useState(() => new Draft(userId, place));
  useEffect(() => {
    clearOldDrafts();
    void draft.adopt();
  }, [draft]);
  useEffect(() => draft.moveTo(place), [draft, place]);
  return draft;
}
