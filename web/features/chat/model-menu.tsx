import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, MenuChoice, MenuOption } from '#web/ui/menu.tsx';
import { ModelButton } from './model-button.tsx';

/** 128K in both languages, as the trade writes it. */
const CONTEXT_SIZE = new Intl.NumberFormat('en', { notation: 'compact' });

interface ModelMenuProps {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
}

/** All models with their price; those the reader's plan does not include, and those to come, cannot be chosen. */
export function ModelMenu({ models, model, onChoose }: ModelMenuProps) {
  const { t } = useTranslation('common');
  return (
    <Menu trigger={<ModelButton model={model} />}>
      <MenuChoice label={t('chat.model')} value={model?.id ?? ''} onChange={onChoose}>
        {models.map((one) => (
          <MenuOption key={one.id} value={one.id} disabled={!one.allowed}>
            <ModelRow model={one} />
          </MenuOption>
        ))}
      </MenuChoice>
    </Menu>
  );
}

function ModelRow({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const { cost, contextTokens } = model;
  const size = CONTEXT_SIZE.format(contextTokens ?? 0);
  return (
    <>
      <span
        className={classNames('flex items-baseline justify-between gap-4', !model.allowed && 'text-soft')}
      >
        <span className="font-medium">{model.title[language]}</span>
        {cost === null ? null : (
          <span className="shrink-0 text-sm tabular-nums">{t('chat.modelPrice', { cost })}</span>
        )}
      </span>
      <span className="mt-0.5 block text-soft text-sm">{model.description[language]}</span>
      <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-soft text-sm">
        {contextTokens === null ? null : <span>{t('chat.modelContext', { size })}</span>}
        {model.allowed ? null : <ModelTag comingSoon={model.comingSoon} />}
      </span>
    </>
  );
}

function ModelTag({ comingSoon }: { comingSoon: boolean }) {
  const { t } = useTranslation('common');
  return (
    <span className="rounded-sm border border-line px-1.5 text-ink text-xs leading-5">
      {comingSoon ? t('chat.modelComingSoon') : t('chat.modelUpgrade')}
    </span>
  );
}
