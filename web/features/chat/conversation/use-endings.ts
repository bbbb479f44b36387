import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { refreshUnlessLive } from '#web/features/live/live-state.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { endText } from '../messages/failure-text.ts';

export interface Announcement {
  text: string;
  /** It failed. */
  isAlert: boolean;
}

const SILENCE: Announcement = { text: '', isAlert: false };
/** As long as a toast; the turn says it for good. */
const ANNOUNCED_MS = 10_000;

/** Announces the end of every answer that was seen running here, however its news came. What is to be seen of it stands in its turn. */
export function useEndings(messages: readonly Message[], pending: Message | null): Announcement {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const [announcement, setAnnouncement] = useState(SILENCE);
  const [open] = useState(() => new Set<string>());
  useEffect(() => {
    if (pending) open.add(pending.id);
    for (const message of messages) {
      if (message.status === 'running') open.add(message.id);
      else if (open.delete(message.id)) {
        refreshUnlessLive(client);
        const isAlert = message.status === 'failed' || message.status === 'interrupted';
        const text = isAlert
          ? endText(t, message).alert
          : t('chat.answered', { credits: message.creditsUsed });
        setAnnouncement({ text, isAlert });
      }
    }
  }, [messages, pending, open, client, t]);
  useEffect(() => {
    if (announcement === SILENCE) return;
    const timer = setTimeout(() => setAnnouncement(SILENCE), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  return announcement;
}
