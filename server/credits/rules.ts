/** Why credits change: the codes that have a text as `ledger.reason.<code>` in `i18n/`. A release carries its message's fault. */
export const LEDGER_REASONS = [
  'browser_failed',
  'more_steps',
  'no_step',
  'schema_refused',
  'free_month',
  'subscription',
  'goodwill',
  'correction',
  'message',
  'api',
  'expired',
  'refund',
  'dispute',
  'restored',
  'unused',
  'stopped',
  'interrupted',
  'internal',
  'upstream_failed',
  'upstream_blocked',
  'picture_blocked',
  'picture_not_made',
  'upstream_empty',
  'upstream_timeout',
  'files_gone',
  'computer_busy',
  'unavailable',
] as const;

export type LedgerReason = (typeof LEDGER_REASONS)[number];

/** True when this code of the ledger has a text. */
export function isLedgerReason(code: string): code is LedgerReason {
  return (LEDGER_REASONS as readonly string[]).includes(code);
}
