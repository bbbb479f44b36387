import type { ReactNode } from 'react';
import type { MarginLine } from '#contract/admin/margin.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Nothing } from '../show/nothing.tsx';
import { Records } from '../show/records.tsx';
import { useFormat } from '../show/use-format.ts';

interface MarginRecordsProps {
  label: string;
  /** The name of what the lines are about. */
  column: string;
  lines: readonly MarginLine[];
  /** Of all lists together, which have the same columns. */
  total: MarginLine;
  /** Behind the point of a dollar. */
  digits: number;
  nameOf: (name: string) => string;
}

/** One list of the margin; what sold below cost is marked, and a column that is empty throughout is left out. */
export function MarginRecords({ label, column, lines, total, digits, nameOf }: MarginRecordsProps) {
  const { t } = useTranslation('admin');
  const { whole, dollars, percent } = useFormat();
  const orNothing = (value: number, text: ReactNode) => (value === 0 ? <Nothing /> : text);
  const ifAny = (part: 'estimated' | 'unknown', name: string, cell: (line: MarginLine) => ReactNode) =>
    total[part] > 0 ? [{ name, kind: 'number' as const, cell }] : [];
  return (
    <Records
      label={label}
      rows={lines}
      keyOf={({ name }) => name ?? ''}
      empty={t('admin.margin.none')}
      isEven
      columns={[
        {
          name: column,
          cell: ({ name, isBelowCost }) => (
            <>
              {nameOf(name ?? '')}
              {isBelowCost ? (
                <span className="ml-2 whitespace-nowrap text-danger">{t('admin.margin.belowCost')}</span>
              ) : null}
            </>
          ),
        },
        {
          name: t('admin.margin.answers'),
          kind: 'number',
          cell: ({ answers }) => orNothing(answers, whole(answers)),
        },
        {
          name: t('admin.margin.credits'),
          kind: 'number',
          cell: ({ credits }) => orNothing(credits, whole(credits)),
        },
        { name: t('admin.margin.revenue'), kind: 'number', cell: ({ revenue }) => dollars(revenue, digits) },
        { name: t('admin.margin.cost'), kind: 'number', cell: ({ cost }) => dollars(cost, digits) },
        {
          name: t('admin.margin.margin'),
          kind: 'number',
          cell: ({ margin, isBelowCost }) => (
            <span className={classNames('font-medium', isBelowCost && 'text-danger')}>
              {dollars(margin, digits)}
            </span>
          ),
        },
        {
          name: t('admin.margin.percent'),
          kind: 'number',
          cell: ({ percent: share }) => (share === null ? <Nothing /> : percent(share)),
        },
        ...ifAny('estimated', t('admin.margin.estimated'), ({ estimated }) =>
          orNothing(estimated, dollars(estimated, digits)),
        ),
        ...ifAny('unknown', t('admin.margin.unknown'), ({ unknown }) =>
          orNothing(unknown, <span className="text-warning">{whole(unknown)}</span>),
        ),
      ]}
    />
  );
}
