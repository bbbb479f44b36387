import type { UserScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { Nothing } from '../show/nothing.tsx';
import { Records } from '../show/records.tsx';
import { Part } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** What the user subscribed to and paid, and what of it has no effect. */
export function UserPayments({ screen }: { screen: UserScreen }) {
  const { t } = useTranslation('admin');
  const word = useWords();
  return (
    <>
      <Part title={t('admin.user.subscriptions')}>
        <Records
          label={t('admin.user.subscriptions')}
          rows={screen.subscriptions}
          keyOf={({ subscriptionId, provider, paidUntil }) => subscriptionId ?? `${provider} ${paidUntil}`}
          empty={t('admin.user.noSubscriptions')}
          columns={[
            {
              name: t('admin.column.what'),
              cell: ({ plan, cycle }) =>
                t('admin.planCycle', { plan: word('plan', plan), cycle: word('cycle', cycle) }),
            },
            {
              name: t('admin.column.state'),
              kind: 'short',
              cell: ({ state }) => <StateTag state={state} word={word('subscription', state)} />,
            },
            {
              name: t('admin.user.renewal'),
              kind: 'short',
              cell: ({ renews }) => t(renews ? 'admin.user.renews' : 'admin.user.renewsNot'),
            },
            {
              name: t('admin.user.paidUntil'),
              kind: 'short',
              cell: ({ paidUntil }) => <When at={paidUntil} />,
            },
            {
              name: t('admin.column.provider'),
              kind: 'short',
              cell: ({ provider }) => word('provider', provider),
            },
            {
              name: t('admin.column.number'),
              cell: ({ subscriptionId }) => (subscriptionId ? <ShortId id={subscriptionId} /> : null),
            },
          ]}
        />
      </Part>
      <Part title={t('admin.user.charges')}>
        <Charges user={screen.user} charges={screen.charges} />
      </Part>
      {screen.setAside.length > 0 ? (
        <Part title={t('admin.user.setAside')}>
          <Records
            label={t('admin.user.setAside')}
            rows={screen.setAside}
            keyOf={({ subject, reason }) => `${subject} ${reason}`}
            empty=""
            columns={[
              { name: t('admin.column.what'), cell: ({ subject }) => <ShortId id={subject} /> },
              { name: t('admin.column.why'), cell: ({ reason }) => word('setAside', reason) },
            ]}
          />
        </Part>
      ) : null}
    </>
  );
}

function Charges({ user, charges }: Pick<UserScreen, 'user' | 'charges'>) {
  const { t } = useTranslation('admin');
  const { money } = useFormat();
  const word = useWords();
  const acts = ({ paymentKey, paid, canRefund, isDisputed }: UserScreen['charges'][number]) => {
    const about = {
      who: [user.email, paymentKey].filter(Boolean).join(' · '),
      ...(paid ? { currency: paid.currency } : {}),
    };
    if (!canRefund && !isDisputed) return null;
    return (
      <span className="flex flex-wrap justify-end gap-2">
        {canRefund ? (
          <ActButton
            act={{ act: 'refund', userId: user.id, paymentKey }}
            about={about}
            label={t('admin.user.refundNamed', { id: paymentKey })}
          />
        ) : null}
        {isDisputed ? (
          <ActButton
            act={{ act: 'clear_dispute', userId: user.id, paymentKey }}
            about={about}
            label={t('admin.disputes.clearNamed', { id: paymentKey })}
          />
        ) : null}
      </span>
    );
  };
  return (
    <Records
      label={t('admin.user.charges')}
      rows={charges}
      keyOf={({ paymentKey }) => paymentKey}
      empty={t('admin.user.noCharges')}
      columns={[
        { name: t('admin.column.charge'), cell: ({ paymentKey }) => <ShortId id={paymentKey} /> },
        {
          name: t('admin.column.provider'),
          kind: 'short',
          cell: ({ provider }) => word('provider', provider),
        },
        {
          name: t('admin.column.paid'),
          kind: 'number',
          cell: ({ paid }) => (paid ? money(paid) : <Nothing />),
        },
        {
          name: t('admin.user.refunded'),
          kind: 'number',
          cell: ({ paid, refundedMinor }) =>
            refundedMinor > 0 && paid ? (
              money({ currency: paid.currency, minor: refundedMinor })
            ) : (
              <Nothing />
            ),
        },
        {
          name: t('admin.column.state'),
          kind: 'short',
          cell: ({ isDisputed, paid, refundedMinor }) => {
            const isRefunded = refundedMinor > 0 && refundedMinor >= (paid?.minor ?? 0);
            const state = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
            return <StateTag state={state} word={word('order', state)} />;
          },
        },
        { name: t('admin.column.paidAt'), kind: 'short', cell: ({ paidAt }) => <When at={paidAt} /> },
        { name: t('admin.column.act'), kind: 'action', cell: acts },
      ]}
    />
  );
}
