import { models } from 'virtual:models';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { MarginScreen as Margin, MarginLine } from '#contract/admin/margin.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AccountingTerms } from '../ledger/accounting-terms.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Figure, Figures } from '../show/facts.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { dollarDigits, useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { MarginRange, marginQuery } from './margin-range.tsx';
import { MarginRecords } from './margin-records.tsx';

/** What answers earned and cost in some days; what sold below cost comes first. */
export function MarginScreen() {
  const { t } = useTranslation('admin');
  const asked = marginQuery(useSearchParams()[0]);
  const query = useQuery(screenQuery<Margin>(`margin${asked}`));
  return (
    <Screen title={t('admin.screen.margin')} lead={t('admin.margin.lead')}>
      <MarginRange>
        <a href={`/api/admin/margin.csv${asked}`} download className={buttonStyle('secondary')}>
          {t('admin.margin.csv')}
        </a>
      </MarginRange>
      <Loaded query={query}>{(margin) => <Lists margin={margin} />}</Loaded>
      <AccountingTerms of="margin" />
    </Screen>
  );
}

function Lists({ margin }: { margin: Margin }) {
  const { t, i18n } = useTranslation('admin');
  const word = useWords();
  const { total, from, to } = margin;
  const day = (date: string) => formatDay(i18n.language, new Date(date), 'UTC');
  const titleOf = (model: string) => models.find(({ id }) => id === model)?.title[i18n.language] ?? model;
  const digits = dollarDigits([total.revenue, total.cost]);
  const features = (name: string) => name.split('+').map((feature) => word('feature', feature));
  return (
    <>
      <Part title={t('admin.margin.total', { first: day(from), last: day(to) })}>
        <Total total={total} digits={digits} />
        <Notes margin={margin} digits={digits} />
      </Part>
      <Part title={t('admin.margin.byModel')}>
        <MarginRecords
          label={t('admin.margin.byModel')}
          column={t('admin.margin.model')}
          lines={margin.byModel}
          total={total}
          digits={digits}
          nameOf={titleOf}
        />
      </Part>
      <Part title={t('admin.margin.byPlan')}>
        <MarginRecords
          label={t('admin.margin.byPlan')}
          column={t('admin.margin.plan')}
          lines={margin.byPlan}
          total={total}
          digits={digits}
          nameOf={(name) => word('plan', name)}
        />
      </Part>
      <Part title={t('admin.margin.byFeature')}>
        <MarginRecords
          label={t('admin.margin.byFeature')}
          column={t('admin.margin.feature')}
          lines={margin.byFeature}
          total={total}
          digits={digits}
          nameOf={(name) => features(name).join(' + ')}
        />
      </Part>
    </>
  );
}

function Total({ total, digits }: { total: MarginLine; digits: number }) {
  const { t } = useTranslation('admin');
  const { dollars, percent } = useFormat();
  return (
    <Figures>
      <Figure name={t('admin.margin.revenue')} value={dollars(total.revenue, digits)} />
      <Figure name={t('admin.margin.cost')} value={dollars(total.cost, digits)} />
      <Figure
        name={t('admin.margin.margin')}
        value={dollars(total.margin, digits)}
        isFault={total.margin < 0}
      />
      <Figure
        name={t('admin.margin.percent')}
        value={total.percent === null ? '–' : percent(total.percent)}
      />
      <Figure name={t('admin.margin.answers')} value={total.answers} />
      <Figure name={t('admin.margin.credits')} value={total.credits} />
    </Figures>
  );
}

/** What the figures leave out, and what of them is not exact. */
function Notes({ margin: { total, otherCurrencies }, digits }: { margin: Margin; digits: number }) {
  const { t } = useTranslation('admin');
  const { whole, dollars } = useFormat();
  const currencies = otherCurrencies.join(', ');
  return (
    <div className="flex max-w-prose flex-col gap-1 text-sm">
      {total.unknown > 0 ? (
        <p className="text-warning">{t('admin.margin.unknownNote', { count: whole(total.unknown) })}</p>
      ) : null}
      {total.estimated > 0 ? (
        <p>{t('admin.margin.estimatedNote', { amount: dollars(total.estimated, digits) })}</p>
      ) : null}
      {currencies === '' ? null : <p>{t('admin.margin.currenciesNote', { currencies })}</p>}
      <p className="text-soft">{t('admin.margin.freeNote')}</p>
    </div>
  );
}
