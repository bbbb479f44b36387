import { memo } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import type { Turn } from './thread.ts';
import { TurnItem } from './turn-item.tsx';

interface TurnListProps {
  turns: readonly Turn[];
  pendingId: string | null;
  models: readonly CatalogueModel[];
  retryCost: number;
  onRetry: ((message: Message) => void) | null;
  onChoose: (message: Message) => void;
}

/** The exchanges on screen, oldest first. */
export const TurnList = memo(({ turns, pendingId, models, ...shared }: TurnListProps) => {
  const language = useLanguage();
  return turns.map(({ message, siblings }) => {
    const place = siblings.indexOf(message);
    const model = models.find(({ id }) => id === message.modelType);
    return (
      <TurnItem
        key={message.id}
        message={message}
        pending={message.id === pendingId}
        place={place + 1}
        count={siblings.length}
        older={siblings[place - 1]}
        newer={siblings[place + 1]}
        modelTitle={model?.title[language] ?? message.modelType}
        {...shared}
      />
    );
  });
});
