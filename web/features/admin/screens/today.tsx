import { useQuery } from '@tanstack/react-query';
import type { Money, Today } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Figure, Figures } from '../show/facts.tsx';
import { FailureCause } from '../show/failure-cause.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { useFormat } from '../show/use-format.ts';
import { Alerts } from './alerts.tsx';

const REFRESH_MS = 60_000;

/** How the product does: what needs an operator first, then the last 24 hours beside those before them. */
export function TodayScreen() {
  const { t } = useTranslation('admin');
  const { moment } = useFormat();
  const query = useQuery({ ...screenQuery<Today>('today'), refetchInterval: REFRESH_MS });
  return (
    <Screen
      title={t('admin.screen.today')}
      lead={query.data ? t('admin.today.since', { time: moment(query.data.since) }) : t('admin.today.lead')}
    >
      <Loaded query={query}>
        {(today) => (
          <>
            <Alerts alerts={today.alerts} />
            <Needs today={today} />
            <Answers today={today} />
            <Business today={today} />
            <Failures today={today} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** What an operator has to look at, each with its way there. */
function Needs({ today: { drift, inbox, money, waiting } }: { today: Today }) {
  const { t } = useTranslation('admin');
  const { shortMoment } = useFormat();
  return (
    <Part title={t('admin.today.needs')}>
      <Figures>
        <Figure name={t('admin.today.drift')} value={drift} to="/admin/ledger" isFault={drift > 0} />
        <Figure
          name={t('admin.today.uncredited')}
          value={money.uncredited}
          to="/admin/orders"
          isFault={money.uncredited > 0}
        />
        <Figure
          name={t('admin.today.inboxFailed')}
          value={inbox.failed}
          to="/admin/inbox?status=failed"
          isFault={inbox.failed > 0}
        />
        <Figure
          name={t('admin.today.inboxWaiting')}
          value={inbox.waiting}
          to="/admin/inbox?status=new"
          note={inbox.oldest === null ? null : t('admin.today.oldest', { time: shortMoment(inbox.oldest) })}
        />
        <Figure name={t('admin.today.proposals')} value={waiting.proposals} to="/admin/proposals" />
        <Figure name={t('admin.today.exports')} value={waiting.exports} to="/admin/personal-data" />
        <Figure name={t('admin.today.deletions')} value={waiting.deletions} to="/admin/personal-data" />
        <Figure name={t('admin.today.mails')} value={waiting.mails} />
      </Figures>
    </Part>
  );
}

function Answers({ today: { answers, firstText, before } }: { today: Today }) {
  const { t } = useTranslation('admin');
  const duration = useDuration();
  return (
    <Part title={t('admin.today.answers')}>
      <Figures>
        <Figure
          name={t('admin.today.completed')}
          value={answers.completed}
          before={before.answers.completed}
        />
        <Figure name={t('admin.today.running')} value={answers.running} />
        <Figure name={t('admin.today.stopped')} value={answers.stopped} before={before.answers.stopped} />
        <Figure
          name={t('admin.today.failed')}
          value={answers.failed}
          before={before.answers.failed}
          to="/admin/failures"
        />
        <Figure
          name={t('admin.today.interrupted')}
          value={answers.interrupted}
          before={before.answers.interrupted}
          to="/admin/failures"
        />
        <Figure
          name={t('admin.today.firstTextP50')}
          value={duration(firstText.p50)}
          before={duration(before.firstText.p50)}
        />
        <Figure
          name={t('admin.today.firstTextP99')}
          value={duration(firstText.p99)}
          before={duration(before.firstText.p99)}
        />
      </Figures>
    </Part>
  );
}

function Business({ today: { credits, money, users, before } }: { today: Today }) {
  const { t } = useTranslation('admin');
  const sums = useSums();
  return (
    <Part title={t('admin.today.business')}>
      <Figures>
        <Figure name={t('admin.today.paid')} value={sums(money.paid)} before={sums(before.paid)} />
        <Figure name={t('admin.today.lost')} value={sums(money.lost)} before={sums(before.lost)} />
        <Figure name={t('admin.today.charged')} value={credits.charged} before={before.charged} />
        <Figure
          name={t('admin.today.held')}
          value={credits.held}
          note={t('admin.today.heldCount', { count: credits.heldCount })}
        />
        <Figure name={t('admin.today.opened')} value={users.opened} before={before.users.opened} />
        <Figure name={t('admin.today.active')} value={users.active} before={before.users.active} />
      </Figures>
    </Part>
  );
}

function Failures({ today: { failures } }: { today: Today }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (
    <Part title={t('admin.today.causes')}>
      <div className="max-w-prose">
        <Records
          label={t('admin.today.causes')}
          rows={failures}
          keyOf={({ code, fault }) => `${code} ${fault}`}
          empty={t('admin.today.noFailures')}
          columns={[
            { name: t('admin.failures.cause'), cell: (row) => <FailureCause {...row} /> },
            { name: t('admin.today.count'), kind: 'number', cell: ({ count }) => whole(count) },
          ]}
        />
      </div>
    </Part>
  );
}

/** Says a time in ms; a dash where there is none. */
function useDuration() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (ms: number | null) => {
    if (ms === null) return '–';
    if (ms < 1_000) return t('admin.today.milliseconds', { ms: whole(ms) });
    return t('admin.today.seconds', { seconds: (ms / 1_000).toFixed(1) });
  };
}

/** Says the sums of several currencies, which are not added up. */
function useSums() {
  const { money } = useFormat();
  return (sums: readonly Money[]) =>
    sums.length === 0 ? money({ currency: 'USD', minor: 0 }) : sums.map(money).join(' · ');
}
