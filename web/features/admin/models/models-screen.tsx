import { useQuery } from '@tanstack/react-query';
import type { ModelLine, ModelsScreen as Models } from '#contract/admin/models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ActButton } from '../acts/acts-provider.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Nothing } from '../show/nothing.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { dollarDigits, useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';
import { ModelHistory } from './model-history.tsx';
import { UpstreamList } from './upstream-list.tsx';

/** What every model costs, who answers for it, what it earned, and whether it can be asked. */
export function ModelsScreen() {
  const { t } = useTranslation('admin');
  const query = useQuery(screenQuery<Models>('models'));
  return (
    <Screen title={t('admin.screen.models')} lead={t('admin.models.lead')}>
      <Loaded query={query}>
        {({ models, history, pricing }) => (
          <>
            <ModelRecords models={models} pricing={pricing} />
            <Part title={t('admin.models.history')}>
              <ModelHistory changes={history} models={models} />
            </Part>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function ModelRecords({ models, pricing }: Pick<Models, 'models' | 'pricing'>) {
  const { t } = useTranslation('admin');
  const { whole, list } = useFormat();
  const digits = dollarDigits(models.flatMap(({ margin }) => (margin ? [margin.revenue, margin.cost] : [])));
  return (
    <Records
      label={t('admin.models.list')}
      rows={models}
      keyOf={({ id }) => id}
      empty={t('admin.models.none')}
      columns={[
        { name: t('admin.models.model'), cell: (model) => <ModelName model={model} /> },
        { name: t('admin.column.state'), kind: 'short', cell: (model) => <ModelState model={model} /> },
        {
          name: t('admin.models.cost'),
          kind: 'number',
          cell: (model) => <ModelCost model={model} />,
        },
        {
          name: t('admin.models.tiers'),
          cell: ({ tiers }) => (
            <span className="break-keep">{list(tiers.map((tier) => t(`models.tier.${tier}`)))}</span>
          ),
        },
        {
          name: t('admin.models.upstreams'),
          cell: ({ upstreams }) => <UpstreamList upstreams={upstreams} />,
        },
        {
          name: t('admin.models.answers'),
          kind: 'number',
          cell: ({ margin }) => (margin ? whole(margin.answers) : <Nothing />),
        },
        {
          name: t('admin.models.margin'),
          kind: 'number',
          cell: ({ margin }) => (margin ? <Margin margin={margin} digits={digits} /> : <Nothing />),
        },
        {
          name: t('admin.column.act'),
          kind: 'action',
          cell: (model) => <ModelActs model={model} pricing={pricing} />,
        },
      ]}
    />
  );
}

/** Pauses or resumes it, sets its price, and takes back those that are yet to come. */
function ModelActs({ model, pricing }: { model: ModelLine } & Pick<Models, 'pricing'>) {
  const { t, i18n } = useTranslation('admin');
  const { id, title, pausedAt, laterCosts, makesPictures } = model;
  const name = title[i18n.language];
  const about = { who: name, pricing };
  return (
    <div className="flex flex-col items-end gap-2 max-md:flex-row max-md:flex-wrap">
      {pausedAt === null ? (
        <ActButton
          act={{ act: 'pause_model', model: id }}
          about={about}
          label={t('admin.models.pauseNamed', { model: name })}
        />
      ) : (
        <ActButton
          act={{ act: 'resume_model', model: id }}
          about={about}
          label={t('admin.models.resumeNamed', { model: name })}
        />
      )}
      {makesPictures ? null : (
        <ActButton
          act={{ act: 'set_price', model: id }}
          about={about}
          label={t('admin.models.priceNamed', { model: name })}
        />
      )}
      {laterCosts.map(({ from }) => (
        <ActButton
          key={from}
          act={{ act: 'withdraw_price', model: id, from }}
          about={about}
          label={t('admin.models.withdrawNamed', { model: name, day: from })}
        />
      ))}
    </div>
  );
}

function ModelName({ model: { id, title } }: { model: ModelLine }) {
  const { i18n } = useTranslation('admin');
  return (
    <div>
      <span className="font-medium">{title[i18n.language]}</span>
      <span lang="zxx" className="block font-mono text-[0.8125rem] text-soft">
        {id}
      </span>
    </div>
  );
}

/** What it costs today, and from which days on something else. */
function ModelCost({ model: { cost, laterCosts, makesPictures } }: { model: ModelLine }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const priceOf = (credits: number) =>
    makesPictures ? t('admin.models.costFrom', { cost: whole(credits) }) : whole(credits);
  return (
    <div>
      {priceOf(cost)}
      {laterCosts.map((later) => (
        <span key={later.from} className="block min-w-20 text-soft max-xl:whitespace-normal">
          {t('admin.models.costLater', { day: later.from, cost: priceOf(later.cost) })}
        </span>
      ))}
    </div>
  );
}

/** Whether it can be asked, and since when it cannot. */
function ModelState({ model: { pausedAt } }: { model: ModelLine }) {
  const word = useWords();
  const state = pausedAt === null ? 'on' : 'paused';
  return (
    <div>
      <StateTag state={state} word={word('modelState', state)} />
      {pausedAt === null ? null : (
        <span className="block text-soft">
          <When at={pausedAt} />
        </span>
      )}
    </div>
  );
}

/** What is left in dollars, and in percent of what was earned. */
function Margin({ margin, digits }: { margin: NonNullable<ModelLine['margin']>; digits: number }) {
  const { t } = useTranslation('admin');
  const { dollars, percent } = useFormat();
  const { isBelowCost } = margin;
  return (
    <div>
      <span className={classNames('font-medium', isBelowCost && 'text-danger')}>
        {dollars(margin.margin, digits)}
      </span>
      {margin.percent === null ? null : <span className="block text-soft">{percent(margin.percent)}</span>}
      {isBelowCost ? <span className="block text-danger">{t('admin.margin.belowCost')}</span> : null}
    </div>
  );
}
