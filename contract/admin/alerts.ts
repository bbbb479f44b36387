import { z } from 'zod';

/** What may need an operator. Its subject is said beside it: a model, a feature, a payment provider, a host, or nothing. */
export const ALERT_KINDS = [
  'upstream_auth',
  'upstream_balance',
  'upstream_not_configured',
  'upstream_gone',
  'upstream_routed',
  'answers_failing',
  'requests_failing',
  'ledger_drift',
  'webhooks_waiting',
  'webhooks_given_up',
  'webhook_signature',
  'payment_key_refused',
  'cancellations_late',
  'mail_failing',
  'sold_below_cost',
  'cost_unknown',
  'disk_full',
  'certificate_ends',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** An alert that stands: it was found at the last look, or a short time ago. Times are epoch milliseconds. */
export const alertSchema = z.object({
  kind: z.enum(ALERT_KINDS),
  subject: z.string(),
  /** Numbers and words that its text names. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  raisedAt: z.int(),
  seenAt: z.int(),
});
export type Alert = z.infer<typeof alertSchema>;
