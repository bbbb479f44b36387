import { ArrowUpRight, Lock } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Translate } from '#web/lib/translate.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, MenuChoice, MenuFold, MenuLink, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'text-soft' } as const;
const TAG = 'rounded-sm border border-line px-1.5 text-ink text-xs leading-5';

/** The plans that unlock models, the smallest first. */
const PLANS = ['basic', 'pro'] as const;

interface ModelListProps extends Required<Pick<ComponentProps<typeof Menu>, 'trigger' | 'openAtOnce'>> {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
}

/**
 * All models with their price: those of the reader's plan first, then those of each larger plan, then those to come. Only those of the
 * plan can be chosen, unless they are paused.
 */
export function ModelList({ models, model, onChoose, ...menu }: ModelListProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const present = models.filter(({ comingSoon }) => !comingSoon);
  const coming = models.filter(({ comingSoon }) => comingSoon);
  const locked = [...PLANS, undefined].map((plan) =>
    present.filter((one) => !one.allowed && planOf(one) === plan),
  );
  const groups = locked.filter(({ length }) => length > 0);
  return (
    <Menu {...menu} wide>
      <MenuChoice label={t('chat.model')} value={model?.id ?? ''} onChange={onChoose}>
        {present
          .filter(({ allowed }) => allowed)
          .map((one) => (
            <ModelOption key={one.id} model={one} />
          ))}
        {groups.map((group) => (
          <LockedModels key={group[0]?.id} models={group} />
        ))}
        {coming.length > 0 ? (
          <>
            <MenuSeparator />
            <MenuFold label={t('chat.modelsComingSoon', { count: coming.length })}>
              {coming.map((one) => (
                <ModelOption key={one.id} model={one} />
              ))}
            </MenuFold>
          </>
        ) : null}
      </MenuChoice>
      {groups.length > 0 ? (
        <MenuLink to={pathTo('pricing')} icon={<ArrowUpRight {...ICON} />}>
          {t('chat.modelPlans')}
        </MenuLink>
      ) : null}
      <p className="px-3 pt-1 pb-2 text-soft text-sm">{t('models.documents')}</p>
    </Menu>
  );
}

/** The models that one plan unlocks, beneath its name. */
function LockedModels({ models }: { models: readonly CatalogueModel[] }) {
  const { t } = useTranslation('common');
  const id = useId();
  return (
    <>
      <MenuSeparator />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu. */}
      <div role="group" aria-labelledby={id}>
        <p id={id} className="px-3 pt-1 pb-0.5 text-soft text-sm">
          {t('chat.modelUpgrade')} · {models[0] ? sayPlans(t, models[0]) : null}
        </p>
        {models.map((one) => (
          <ModelOption key={one.id} model={one} />
        ))}
      </div>
    </>
  );
}

function ModelOption({ model }: { model: CatalogueModel }) {
  const isLocked = !model.allowed && !model.comingSoon;
  return (
    <MenuOption
      value={model.id}
      disabled={!model.allowed || model.paused}
      icon={isLocked ? <Lock {...ICON} size={14} /> : undefined}
    >
      <ModelRow model={model} />
    </MenuOption>
  );
}

/**
 * What it is called and costs; beneath, what it is for and lacks, of a locked model in two lines, so that the menu stays short. Its context
 * is on the page of models.
 */
function ModelRow({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const { cost } = model;
  const isOff = !model.allowed || model.paused;
  const isLocked = !model.allowed && !model.comingSoon;
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
      <span className={classNames('text-soft text-sm', isLocked ? 'line-clamp-2' : 'block')}>
        {model.description[language]}
        {cost !== null && !model.readsImages ? ` ${t('models.blind')}` : null}
        {model.computer === 'words' ? ` ${t('computer.wordsModel')}` : null}
        {isOff ? <WhyOff model={model} /> : null}
      </span>
    </>
  );
}

/** Why a model cannot be chosen: it is to come or a plan unlocks it, which stands above it too, or it is paused for now. */
function WhyOff({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation('common');
  if (model.comingSoon) return <span className="sr-only"> {t('chat.modelComingSoon')}</span>;
  if (model.allowed)
    return (
      <>
        {' '}
        <span className={classNames(TAG, 'inline-block')}>{t('chat.modelUnavailable')}</span>
      </>
    );
  return (
    <span className="sr-only">
      {' '}
      {t('chat.modelUpgrade')} {sayPlans(t, model)}
    </span>
  );
}

function planOf({ tiers }: CatalogueModel) {
  return PLANS.find((plan) => tiers.includes(plan));
}

/** Which plans include it. */
function sayPlans(t: Translate, model: CatalogueModel): string | null {
  const plan = planOf(model);
  if (!plan) return null;
  return t(model.tiers.length === 1 ? 'models.onlyTier' : 'models.fromTier', {
    plan: t(`models.tier.${plan}`),
  });
}
