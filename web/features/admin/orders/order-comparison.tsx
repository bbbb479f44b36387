import type { FactLine } from '#contract/admin/order-facts.ts';
import type { ComparisonScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { Address } from '../show/address.tsx';
import { Records } from '../show/records.tsx';
import { Part } from '../show/screen.tsx';
import { useWords } from '../show/use-words.ts';
import { useOrderTexts } from './use-order-texts.ts';

/** What would change if what the provider says were taken over. */
export function Differences({ order, differences }: Pick<ComparisonScreen, 'order' | 'differences'>) {
  const { t } = useTranslation('admin');
  const word = useWords();
  const { differenceText } = useOrderTexts();
  return (
    <Part
      title={t('admin.order.differences')}
      actions={
        differences.length > 0 ? (
          <ActButton
            act={{ act: 'adopt_order', orderId: order.id }}
            about={{ who: t('admin.order.named', { number: order.number }) }}
          />
        ) : null
      }
    >
      <Records
        label={t('admin.order.differences')}
        rows={differences}
        keyOf={(difference) => JSON.stringify(difference)}
        empty={t('admin.order.noDifferences')}
        columns={[
          { name: t('admin.column.change'), kind: 'short', cell: ({ change }) => word('change', change) },
          { name: t('admin.column.what'), cell: (difference) => differenceText(difference) },
        ]}
      />
    </Part>
  );
}

/** What the provider says now. */
export function Answered({ order, answered }: Pick<ComparisonScreen, 'order' | 'answered'>) {
  const { t } = useTranslation('admin');
  const word = useWords();
  return (
    <Part title={t('admin.order.answered')}>
      <Records
        label={t('admin.order.answered')}
        rows={answered}
        keyOf={(fact) => JSON.stringify(fact)}
        empty={t('admin.order.noAnswer')}
        columns={[
          { name: t('admin.column.kind'), kind: 'short', cell: ({ kind }) => word('fact', kind) },
          {
            name: t('admin.column.what'),
            cell: (fact) => <FactText fact={fact} currency={order.price.currency} />,
          },
          {
            name: t('admin.order.known'),
            kind: 'short',
            cell: ({ isKnown }) => t(isKnown ? 'admin.order.isKnown' : 'admin.order.isNew'),
          },
        ]}
      />
    </Part>
  );
}

interface FactTextProps {
  fact: FactLine;
  /** Of the order; null: it is not known. */
  currency: string | null;
  /** What is said besides; null: nothing. */
  children?: string | null;
}

/** The parts that distinguish a fact, in one line. */
export function FactText({ fact, currency, children = null }: FactTextProps) {
  const { factParts } = useOrderTexts();
  const parts = [...factParts(fact, currency), ...(children === null ? [] : [children])];
  return (
    <span>
      {parts.map((part, at) => (
        <span key={part}>
          {at > 0 ? ' · ' : null}
          {part === fact.email ? <Address address={part} /> : part}
        </span>
      ))}
    </span>
  );
}
