import { Link } from 'react-router';
import type { Alert, AlertKind } from '#contract/admin/alerts.ts';
import type { Today } from '#contract/admin/screens.ts';
import { alertParams } from '#i18n/alert-params.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Part } from '../show/screen.tsx';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** Where an operator sees more of what was found. What is missing here is mended outside of the console. */
const PLACE: Partial<Record<AlertKind, keyof typeof PATH>> = {
  upstream_auth: 'models',
  upstream_balance: 'models',
  upstream_not_configured: 'models',
  upstream_gone: 'models',
  upstream_routed: 'models',
  answers_failing: 'failures',
  ledger_drift: 'ledger',
  webhooks_waiting: 'inbox',
  webhooks_given_up: 'inbox',
  sold_below_cost: 'margin',
  cost_unknown: 'margin',
};
const PATH = {
  models: ['/admin/models', 'admin.alert.open.models'],
  failures: ['/admin/failures', 'admin.alert.open.failures'],
  ledger: ['/admin/ledger', 'admin.alert.open.ledger'],
  inbox: ['/admin/inbox', 'admin.alert.open.inbox'],
  margin: ['/admin/margin', 'admin.alert.open.margin'],
} as const;

/** What was found to be wrong, and what to do about it. */
export function Alerts({ alerts }: Pick<Today, 'alerts'>) {
  const { t, i18n } = useTranslation('admin');
  const word = useWords();
  if (alerts.length === 0) return null;
  const paramsOf = ({ subject, details }: Today['alerts'][number]) =>
    alertParams(subject, details, i18n.language, (feature) => word('feature', feature));
  return (
    <Part title={t('admin.alert.title')}>
      <ul className="divide-y divide-line rounded-card border border-danger px-4">
        {alerts.map((alert) => (
          <li
            key={`${alert.kind} ${alert.subject}`}
            className="grid gap-x-6 gap-y-1 py-2.5 md:grid-cols-[minmax(0,1fr)_auto_auto] md:items-center"
          >
            <div className="min-w-0 break-words">
              <p className="font-medium">{t(`admin.alert.${alert.kind}.title`, paramsOf(alert))}</p>
              <p className="text-soft text-sm">{t(`admin.alert.${alert.kind}.text`, paramsOf(alert))}</p>
            </div>
            <p className="text-soft text-sm">
              {t('admin.alert.since')} <When at={alert.raisedAt} />
            </p>
            <AlertLink kind={alert.kind} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function AlertLink({ kind }: Pick<Alert, 'kind'>) {
  const { t } = useTranslation('admin');
  const place = PLACE[kind];
  if (!place) return null;
  const [path, text] = PATH[place];
  return (
    <Link
      to={kind === 'webhooks_given_up' ? `${path}?status=failed` : path}
      className="inline-flex min-h-9 items-center whitespace-nowrap underline underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11"
    >
      {t(text)}
    </Link>
  );
}
