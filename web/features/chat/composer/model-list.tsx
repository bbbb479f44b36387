import { ArrowUpRight } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, MenuChoice, MenuFold, MenuLink, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'text-soft' } as const;

/** The plans that unlock models, the smallest first. */
const PLANS = ['basic', 'pro'] as const;

interface ModelListProps extends Required<Pick<ComponentProps<typeof Menu>, 'trigger' | 'openAtOnce'>> {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
}

/** All models with their price; those the reader's plan does not include, those to come, and those that are paused, cannot be chosen. */
export function ModelList({ models, model, onChoose, ...menu }: ModelListProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const isLocked = models.some((one) => !one.allowed && !one.comingSoon);
  const coming = models.filter(({ comingSoon }) => comingSoon);
  const option = (one: CatalogueModel) => (
    <MenuOption key={one.id} value={one.id} disabled={!one.allowed || one.paused}>
      <ModelRow model={one} />
    </MenuOption>
  );
  return (
    <Menu {...menu}>
      <p className="px-3 pt-2 pb-1 text-soft text-sm">{t('models.documents')}</p>
      <MenuChoice label={t('chat.model')} value={model?.id ?? ''} onChange={onChoose}>
        {models.filter(({ comingSoon }) => !comingSoon).map(option)}
        {coming.length > 0 ? (
          <MenuFold label={t('chat.modelsComingSoon', { count: coming.length })}>
            {coming.map(option)}
          </MenuFold>
        ) : null}
      </MenuChoice>
      {isLocked ? (
        <>
          <MenuSeparator />
          <MenuLink to={pathTo('pricing')} icon={<ArrowUpRight {...ICON} />}>
            {t('chat.modelPlans')}
          </MenuLink>
        </>
      ) : null}
    </Menu>
  );
}

/** What it is called, costs and is for; beneath, only what it lacks. Its context is on the page of models. */
function ModelRow({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const { cost } = model;
  const isOff = !model.allowed || model.paused;
  const isBlind = cost !== null && !model.readsImages;
  const isWithoutBrowser = model.computer === 'words';
  return (
    <>
      <span className={classNames('flex items-baseline justify-between gap-4', isOff && 'text-soft')}>
        <span className="font-medium">{model.title[language]}</span>
        {cost === null ? null : (
          <span className="shrink-0 text-sm tabular-nums">
            {model.pictures ? t('drawing.from', { cost }) : t('chat.modelPrice', { cost })}
          </span>
        )}
      </span>
      <span className="mt-0.5 block text-soft text-sm">{model.description[language]}</span>
      {isOff || isBlind || isWithoutBrowser ? (
        <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-soft text-sm">
          {isBlind ? <span>{t('models.blind')}</span> : null}
          {isWithoutBrowser ? <span>{t('computer.wordsModel')}</span> : null}
          {isOff ? <ModelTag model={model} /> : null}
        </span>
      ) : null}
    </>
  );
}

/** Why a model cannot be chosen: it is to come, a plan unlocks it, or it is paused for now. */
function ModelTag({ model: { comingSoon, tiers, allowed } }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const plan = PLANS.find((tier) => tiers.includes(tier));
  const planKey = tiers.length === 1 ? 'models.onlyTier' : 'models.fromTier';
  return (
    <span className="inline-flex items-center gap-x-2 whitespace-nowrap">
      <span className="rounded-sm border border-line px-1.5 text-ink text-xs leading-5">
        {comingSoon ? t('chat.modelComingSoon') : t(allowed ? 'chat.modelUnavailable' : 'chat.modelUpgrade')}
      </span>
      {plan && !comingSoon && !allowed ? <span>{t(planKey, { plan: t(`models.tier.${plan}`) })}</span> : null}
    </span>
  );
}
