import { z } from 'zod';
import { PROVIDERS } from '../choices.ts';
import { alertSchema } from './alerts.ts';
import { differenceSchema, factLineSchema } from './order-facts.ts';

/** Of every screen: times are epoch milliseconds, money is in minor units of its currency. No screen holds the text of a message. */
const time = z.int();
const maybeTime = z.int().nullable();
const provider = z.enum(PROVIDERS);
const money = z.object({ currency: z.string(), minor: z.int() });
export type Money = z.infer<typeof money>;

/** `GET /api/admin`: who the operator is, and what the console lacks to be used. */
export const operatorSchema = z.object({
  name: z.string(),
  /** Two-step verification has to be on. */
  needsSecondFactor: z.boolean(),
});
export type Operator = z.infer<typeof operatorSchema>;

const answersSchema = z.object({
  completed: z.int(),
  stopped: z.int(),
  failed: z.int(),
  interrupted: z.int(),
});
/** Milliseconds from the send to the first text; null without any. */
const firstTextSchema = z.object({ p50: z.int().nullable(), p99: z.int().nullable() });
const usersOfDaySchema = z.object({ opened: z.int(), active: z.int() });

/** What is counted of 24 hours. */
const dayFiguresSchema = z.object({
  answers: answersSchema,
  firstText: firstTextSchema,
  charged: z.int(),
  paid: z.array(money),
  lost: z.array(money),
  users: usersOfDaySchema,
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** `GET /api/admin/today`: the last 24 hours. */
export const todaySchema = z.object({
  since: time,
  /** The 24 hours before those. */
  before: dayFiguresSchema,
  /** What needs the operator, the newest first. */
  alerts: z.array(alertSchema),
  answers: answersSchema.extend({ running: z.int() }),
  firstText: firstTextSchema,
  failures: z.array(z.object({ code: z.string(), fault: z.string().nullable(), count: z.int() })),
  credits: z.object({ charged: z.int(), heldCount: z.int(), held: z.int() }),
  /** Faults in the ledgers of those who moved credits last; must be 0. */
  drift: z.int(),
  inbox: z.object({ waiting: z.int(), failed: z.int(), oldest: maybeTime }),
  money: z.object({ paid: z.array(money), lost: z.array(money), uncredited: z.int() }),
  users: usersOfDaySchema,
  waiting: z.object({ mails: z.int(), exports: z.int(), deletions: z.int(), proposals: z.int() }),
});
export type Today = z.infer<typeof todaySchema>;

const userLineSchema = z.object({
  id: z.uuid(),
  /** Null: the account is deleted. */
  email: z.string().nullable(),
  name: z.string(),
  createdAt: time,
  lastSignInAt: time,
  isLeaving: z.boolean(),
});
export type UserLine = z.infer<typeof userLineSchema>;

/** `GET /api/admin/users?find=`: by address, the beginning of one, id, or order number. */
export const usersSchema = z.object({ users: z.array(userLineSchema) });
export type UsersScreen = z.infer<typeof usersSchema>;

const auditLineSchema = z.object({
  id: z.string(),
  at: time,
  /** The address of an operator, or what was typed at the command line. */
  actor: z.string(),
  viaCommandLine: z.boolean(),
  act: z.string(),
  userId: z.string().nullable(),
  subject: z.string().nullable(),
  reason: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof auditLineSchema>;

const orderLineSchema = z.object({
  id: z.uuid(),
  number: z.string(),
  userId: z.uuid(),
  /** Null: the account is deleted. */
  email: z.string().nullable(),
  provider,
  plan: z.string(),
  cycle: z.string(),
  price: money,
  status: z.string(),
  createdAt: time,
  paidAt: maybeTime,
});
export type OrderLine = z.infer<typeof orderLineSchema>;

/** `GET /api/admin/users/:id`. */
export const userScreenSchema = z.object({
  user: userLineSchema.extend({ emailVerified: z.boolean(), leavingAt: maybeTime, deletedAt: maybeTime }),
  credits: z.object({
    balance: z.int(),
    buckets: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        source: z.string(),
        amount: z.int(),
        available: z.int(),
        held: z.int(),
        spent: z.int(),
        expired: z.int(),
        revoked: z.int(),
        endsAt: time,
      }),
    ),
    entries: z.array(
      z.object({
        at: time,
        kind: z.string(),
        amount: z.int(),
        balanceAfter: z.int(),
        reason: z.string(),
      }),
    ),
  }),
  orders: z.array(orderLineSchema),
  subscriptions: z.array(
    z.object({
      /** Null: it comes with the first charge. */
      subscriptionId: z.string().nullable(),
      provider,
      plan: z.string(),
      cycle: z.string(),
      state: z.string(),
      renews: z.boolean(),
      paidUntil: maybeTime,
    }),
  ),
  /** What was paid, and can be refunded where the provider has such a call. */
  charges: z.array(
    z.object({
      paymentKey: z.string(),
      provider,
      paid: money.nullable(),
      refundedMinor: z.int(),
      paidAt: maybeTime,
      canRefund: z.boolean(),
      isDisputed: z.boolean(),
    }),
  ),
  /** What has no effect, and why. */
  setAside: z.array(z.object({ subject: z.string(), reason: z.string() })),
  sessions: z.int(),
  audit: z.array(auditLineSchema),
});
export type UserScreen = z.infer<typeof userScreenSchema>;

/** `GET /api/admin/ledger/check`: what does not add up, looked for in the whole ledger; must be empty. */
export const ledgerCheckSchema = z.object({
  drift: z.array(z.object({ kind: z.string(), userId: z.uuid(), detail: z.record(z.string(), z.unknown()) })),
  /** More was found than is shown. */
  hasMore: z.boolean(),
});
export type LedgerCheck = z.infer<typeof ledgerCheckSchema>;

/** `GET /api/admin/ledger`: what the check of each minute last found. */
export const ledgerSchema = ledgerCheckSchema.extend({
  /** When all that was booked before was last checked; null before the first time. */
  checkedAt: time.nullable(),
  /** That is some minutes ago: no process checks, or more is booked than is checked. */
  isLate: z.boolean(),
  /** Credits that were to be taken back and had been spent. */
  unrecovered: z.array(z.object({ userId: z.uuid(), paymentKey: z.string().nullable(), credits: z.int() })),
});
export type LedgerScreen = z.infer<typeof ledgerSchema>;

/** `GET /api/admin/orders`: what does not agree first, then orders, the newest first. */
export const ordersScreenSchema = z.object({
  /** Paid, and grants nothing. On the first page only. */
  uncredited: z.array(
    z.object({
      provider,
      transactionId: z.string(),
      /** Null: it belongs to no user that we know. */
      userId: z.uuid().nullable(),
      /** Null without a user, and where the account is deleted. */
      email: z.string().nullable(),
      orderId: z.uuid().nullable(),
      reason: z.string(),
      paid: money.nullable(),
      foundAt: time,
    }),
  ),
  orders: z.array(orderLineSchema),
  nextCursor: z.string().nullable(),
});
export type OrdersScreen = z.infer<typeof ordersScreenSchema>;

/** `GET /api/admin/orders/differences`: what providers reported and does not act, looked for among all users. */
export const differencesSchema = z.object({
  /** What is about a granted charge first, then about one that paid for nothing, then the rest. */
  setAside: z.array(
    z.object({
      userId: z.uuid(),
      /** Null: the account is deleted. */
      email: z.string().nullable(),
      provider,
      subject: z.string(),
      orderId: z.string().nullable(),
      reason: z.string(),
      charge: z.enum(['granted', 'not_granted']).nullable(),
    }),
  ),
  /** More was found than is shown. */
  hasMore: z.boolean(),
  /** What is about no user that we know, the newest first. */
  unattributed: z.array(
    factLineSchema.extend({
      id: z.string(),
      provider,
      subject: z.string(),
      /** It could be about more than one user. */
      isAmbiguous: z.boolean(),
      foundAt: time,
    }),
  ),
});
export type DifferencesScreen = z.infer<typeof differencesSchema>;

/** `GET /api/admin/orders/:id/comparison`: what the provider says now beside what we have. */
export const comparisonSchema = z.object({
  order: orderLineSchema,
  answered: z.array(factLineSchema.extend({ isKnown: z.boolean() })),
  differences: z.array(differenceSchema),
});
export type ComparisonScreen = z.infer<typeof comparisonSchema>;

export const INBOX_STATUSES = ['new', 'done', 'failed'] as const;

/** `GET /api/admin/inbox`: webhooks, the newest first. */
export const inboxSchema = z.object({
  webhooks: z.array(
    z.object({
      id: z.string(),
      provider,
      type: z.string(),
      receivedAt: time,
      status: z.enum(INBOX_STATUSES),
      tries: z.int(),
      error: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type InboxScreen = z.infer<typeof inboxSchema>;

/** `GET /api/admin/disputes`: payers whose charges are disputed or refunded, open disputes first, and what they still owe. */
export const disputesSchema = z.object({
  losses: z.array(
    z.object({
      userId: z.uuid(),
      email: z.string().nullable(),
      paymentKey: z.string(),
      reason: z.string(),
      /** Credits to be taken back, and those that were. */
      target: z.int(),
      taken: z.int(),
      isOpen: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type DisputesScreen = z.infer<typeof disputesSchema>;

/** `GET /api/admin/failures`: answers that did not come, the newest first. */
export const failuresSchema = z.object({
  failures: z.array(
    z.object({
      messageId: z.uuid(),
      userId: z.uuid(),
      model: z.string(),
      upstreamModel: z.string().nullable(),
      status: z.enum(['failed', 'interrupted']),
      code: z.string(),
      /** What lies behind `upstream_failed`. */
      fault: z.string().nullable(),
      endedAt: time,
      /** Credits that were held and went back. */
      released: z.int(),
      viaApi: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type FailuresScreen = z.infer<typeof failuresSchema>;

/** `GET /api/admin/personal-data`: exports and deletions that are due, or failed. */
export const personalDataScreenSchema = z.object({
  exports: z.array(
    z.object({
      userId: z.uuid(),
      state: z.string(),
      requestedAt: time,
      tries: z.int(),
      error: z.string().nullable(),
    }),
  ),
  deletions: z.array(
    z.object({
      userId: z.uuid(),
      askedAt: time,
      tries: z.int(),
      nextTryAt: time,
      error: z.string().nullable(),
    }),
  ),
});
export type PersonalDataScreen = z.infer<typeof personalDataScreenSchema>;

/** `GET /api/admin/audit`: what operators did, the newest first. */
export const auditSchema = z.object({ lines: z.array(auditLineSchema), nextCursor: z.string().nullable() });
export type AuditScreen = z.infer<typeof auditSchema>;
