import { memo } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { parentKey } from '../messages/message-cache.ts';
import type { Turn } from '../messages/thread.ts';
import { TurnItem } from './turn-item.tsx';

/** So many of the newest are drawn at once when a conversation is opened. */
const FRESH = 6;

interface TurnListProps {
  turns: readonly Turn[];
  pendingId: string | null;
  models: readonly CatalogueModel[];
}

/** The exchanges on screen, oldest first. A place in the thread keeps its identity when another version is shown there. */
export const TurnList = memo(({ turns, pendingId, models }: TurnListProps) => {
  const language = useLanguage();
  return turns.map(({ message, siblings }, index) => {
    const { ids, older, newer } = siblings;
    const place = ids.indexOf(message.id);
    const model = models.find(({ id }) => id === message.modelType);
    return (
      <TurnItem
        key={parentKey(message)}
        message={message}
        pending={message.id === pendingId}
        fresh={index >= turns.length - FRESH}
        place={older + place + 1}
        count={older + ids.length + newer}
        older={ids[place - 1]}
        newer={ids[place + 1]}
        modelTitle={model?.title[language] ?? message.modelType}
      />
    );
  });
});
