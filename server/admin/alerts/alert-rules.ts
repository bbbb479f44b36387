import type { Alert, AlertKind } from '#contract/admin/alerts.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';

/** An alert as a look finds it. */
export type FoundAlert = Pick<Alert, 'kind' | 'subject' | 'details'>;

const QUIET_MS = 15 * MINUTE_MS;
const HOURLY_QUIET_MS = 150 * MINUTE_MS;
/** What is looked for once an hour. */
const HOURLY: readonly AlertKind[] = ['sold_below_cost', 'cost_unknown', 'certificate_ends'];

/** How long a kind is not found before it is over, in milliseconds: what comes and goes is one alert, not many. */
export function quietMs(kind: AlertKind): number {
  return HOURLY.includes(kind) ? HOURLY_QUIET_MS : QUIET_MS;
}

/** What its finder logs with `alert` by itself, with what only it knows: the request, the message, the user, the provider's code. */
const LOGGED_WHERE_FOUND: readonly AlertKind[] = [
  ...(['upstream_auth', 'upstream_balance', 'upstream_not_configured'] as const),
  ...(['upstream_gone', 'upstream_routed', 'ledger_drift', 'webhooks_given_up'] as const),
  ...(['sold_below_cost', 'cost_unknown'] as const),
];

/** Whether the log has a line with `alert` of each thing that raises this kind, before it is raised. */
export function isLoggedWhereFound(kind: AlertKind): boolean {
  return LOGGED_WHERE_FOUND.includes(kind);
}

const MIN_FAILURES = 10;
const MB = 1_048_576;
const MIN_FREE_MB = 1_024;
const MIN_FREE_SHARE = 0.05;
const CERTIFICATE_DAYS = 14;

/** More than ten failures, and more than `share` of all: no single caller's bad luck. */
export function isFailing(count: number, all: number, share: number): boolean {
  return count >= MIN_FAILURES && count > all * share;
}

/** Alerts of the disk of a machine with less than 1 GB or a twentieth of it free. Both in bytes. */
export function diskAlert(host: string, free: number, total: number): FoundAlert[] {
  const isLow = total > 0 && (free < MIN_FREE_MB * MB || free < total * MIN_FREE_SHARE);
  if (!isLow) return [];
  const details = { freeMb: Math.floor(free / MB), percent: Math.floor((free / total) * 100) };
  return [{ kind: 'disk_full', subject: host, details }];
}

/** Alerts of a certificate that ends within two weeks. */
export function certificateAlert(host: string, endsAt: Date, now: Date): FoundAlert[] {
  const left = endsAt.getTime() - now.getTime();
  if (left > CERTIFICATE_DAYS * DAY_MS) return [];
  const days = Math.max(0, Math.floor(left / DAY_MS));
  return [{ kind: 'certificate_ends', subject: host, details: { days } }];
}
