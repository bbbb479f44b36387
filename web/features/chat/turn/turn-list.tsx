import { memo } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { parentKey } from '../messages/message-cache.ts';
import type { Turn } from '../messages/thread.ts';
import { guessHeight } from './far-turn.tsx';
import { TurnItem } from './turn-item.tsx';

interface TurnListProps {
  turns: readonly Turn[];
  pendingId: string | null;
  models: readonly CatalogueModel[];
}

/** The exchanges on screen, oldest first. A place in the thread keeps its identity when another version is shown there. */
export const TurnList = memo(({ turns, pendingId, models }: TurnListProps) => {
  const language = useLanguage();
  const firstFresh = placeOfFresh(turns);
  return turns.map(({ message, siblings }, index) => {
    const { ids, older, newer } = siblings;
    const place = ids.indexOf(message.id);
    const model = models.find(({ id }) => id === message.modelType);
    return (
      <TurnItem
        key={parentKey(message)}
        message={message}
        pending={message.id === pendingId}
        fresh={index >= firstFresh}
        place={older + place + 1}
        count={older + ids.length + newer}
        older={ids[place - 1]}
        newer={ids[place + 1]}
        modelTitle={model?.title[language] ?? message.modelType}
      />
    );
  });
});

/** Place of the first of the newest turns that fill the window: when a conversation is opened, the others are drawn after these. */
function placeOfFresh(turns: readonly Turn[]): number {
  let height = 0;
  return turns.findLastIndex(({ message }) => {
    height += guessHeight(message);
    return height >= window.innerHeight;
  });
}
