import { z } from 'zod';
import { tokenUsageSchema } from './chat.ts';
import { chargeSchema } from './message/quotes.ts';

export const entryKindSchema = z.enum(['grant', 'charge', 'release', 'expire', 'revoke', 'adjust']);
export type EntryKind = z.infer<typeof entryKindSchema>;

/**
 * One line of the ledger as the user sees it. `amount` is the signed change of the spendable balance in credits, so that
 * the amounts of all lines add up to the balance; `reason` is a stable code whose text is `ledger.reason.<code>` in `i18n/`.
 */
export const ledgerEntrySchema = z.object({
  id: z.string(),
  time: z.int(),
  kind: entryKindSchema,
  amount: z.int(),
  balanceAfter: z.int(),
  reason: z.string(),
  messageId: z.uuid().nullable(),
  orderId: z.uuid().nullable(),
  /** Of a line of an API key: the name that the key had then. */
  keyName: z.string().optional(),
  /** Of a line of a message: the id of its model. */
  model: z.string().optional(),
  /** The title of the conversation that the message is in, while that is there. */
  conversationTitle: z.string().optional(),
  /** Of a charge for a message that has ended and is not deleted: the upstream's own name of the model, and its tokens. */
  modelVersion: z.string().optional(),
  usage: tokenUsageSchema.optional(),
  /** Of a charge for more than a message: what it came to in the end, line by line. What it took beyond that is a release. */
  lines: chargeSchema.shape.lines.optional(),
  /** Only on a charge whose answer is still running. */
  pending: z.boolean().optional(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/**
 * The Credits that messages took and did not return, from `from` on: only quarters of an hour with any, oldest first. `at`: the start of
 * the quarter.
 */
export const spendingSchema = z.object({
  from: z.int(),
  quarters: z.array(z.object({ at: z.int(), credits: z.int() })),
});
export type Spending = z.infer<typeof spendingSchema>;

/** Credits of the balance that end together. */
export const creditLotSchema = z.object({ credits: z.int(), expiresAt: z.int() });
export type CreditLot = z.infer<typeof creditLotSchema>;

export const ledgerPageSchema = z.object({
  balance: z.int(),
  entries: z.array(ledgerEntrySchema),
  nextCursor: z.string().nullable(),
  /** What the balance consists of, what ends first at the front; on the newest page of all lines. */
  lots: z.array(creditLotSchema).optional(),
  /** When free credits are given next, unless a plan is paid by then; on the newest page of all lines. */
  nextFreeAt: z.int().optional(),
  /** Why no free credits are given now; on the newest page of all lines, where it is so. */
  freeWithheld: z
    .enum(['disposable', 'unverified', 'address_used', 'address_unproved', 'domain_busy', 'network_busy'])
    .optional(),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;
