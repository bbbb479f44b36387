import { defaultModelTitle, facts } from 'virtual:site';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { findModel, readModelChoice } from '#web/features/chat/shell/model-choice.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** The model and the price of the first message, as the composer will name them, and the button that goes on with it. */
export function AskFoot({ label }: { label: string }) {
  const { t } = useTranslation('common');
  const id = useId();
  const { title, cost, isLeast } = useFirstModel();
  return (
    <div className="flex items-center justify-end gap-2 max-sm:flex-col max-sm:items-stretch">
      <p id={id} className="min-w-0 px-2 text-sm text-soft tabular-nums">
        <span className="sr-only">{t('chat.model')} </span>
        {title} ·{' '}
        <span className="whitespace-nowrap">
          {isLeast ? t('drawing.from', { cost }) : t('chat.modelPrice', { cost })}
        </span>
      </p>
      <Button type="submit" aria-describedby={id} className="shrink-0">
        {label}
      </Button>
    </div>
  );
}

/** What the composer will begin with, by the catalogue that the page reads anyway; until it is read, the default as the page was built. */
function useFirstModel() {
  const { i18n } = useTranslation('common');
  const { language } = i18n;
  const { data } = useQuery(catalogueQuery);
  const model = data && findModel(data, readModelChoice()).model;
  if (!model || model.cost === null)
    return { title: defaultModelTitle[language], cost: facts.defaultCost, isLeast: false };
  return { title: model.title[language], cost: model.cost, isLeast: model.pictures !== null };
}
