import type { ComponentProps } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { mayCostLess, priceAgain } from '../quote/extra-cost.ts';
import { useTurnActions } from './turn-actions.ts';

interface RegenerateListProps extends Required<Pick<ComponentProps<typeof Menu>, 'trigger' | 'openAtOnce'>> {
  message: Message;
}

/** The models that an answer may be asked for again: its own first, each with its price. */
export function RegenerateList({ message, trigger, openAtOnce }: RegenerateListProps) {
  const { t } = useTranslation('common');
  const { models, askBeside } = useTurnActions();
  const allowed = models.filter((model) => model.allowed && !model.paused && model.cost !== null);
  const isPictured = message.inputParts?.some(({ kind }) => kind === 'image') ?? false;
  const able = allowed.filter(({ readsImages }) => readsImages || !isPictured);
  const ordered = able.toSorted((a, b) => rank(a, message) - rank(b, message));
  return (
    <Menu trigger={trigger} align="start" openAtOnce={openAtOnce}>
      <p className="px-3 pt-2 pb-1 text-soft text-sm">{t('chat.regenerateHint')}</p>
      {ordered.map((model) => (
        <MenuItem key={model.id} onSelect={() => void askBeside(message, { model })}>
          <ModelPrice message={message} model={model} />
        </MenuItem>
      ))}
    </Menu>
  );
}

function rank(model: CatalogueModel, message: Message): number {
  return model.id === message.modelType ? 0 : 1;
}

function ModelPrice({ message, model }: { message: Message; model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const cost = priceAgain(message, model) ?? 0;
  return (
    <>
      <span className="flex-1">
        {model.title[language]}
        {model.id === message.modelType ? (
          <span className="ml-2 text-soft text-sm">{t('chat.sameModel')}</span>
        ) : null}
      </span>
      <span className="text-soft text-sm tabular-nums">
        {mayCostLess(message, model) ? t('quote.most', { credits: cost }) : t('chat.modelPrice', { cost })}
      </span>
    </>
  );
}
