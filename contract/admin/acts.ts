import { z } from 'zod';
import { bilingualSchema, tierSchema } from '../catalogue.ts';

/** Most that one act gives or takes, in credits. */
export const MAX_ACT_CREDITS = 1_000_000;
/** Longest life of credits given by hand, in days. */
export const MAX_ACT_DAYS = 3_660;
export const MAX_REASON = 500;
/** No price of a message is written with more digits; what it may be at most is asked of the catalogue. */
export const MAX_PRICE = 999;

/** As the database writes it: the rules compare ids as texts. */
const id = z.uuid().toLowerCase();
const credits = z.int().min(1).max(MAX_ACT_CREDITS);
/** A charge as `provider:transaction`. */
const paymentKey = z.string().min(1).max(200);
/** A model of the catalogue. */
const model = z.string().min(1).max(100);

/** What an operator can do. Every one of them needs a fresh proof and leaves a line in the audit log. */
export const actSchema = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('grant'),
    userId: id,
    credits,
    days: z.int().min(1).max(MAX_ACT_DAYS),
  }),
  z.strictObject({ act: z.literal('take'), userId: id, credits }),
  z.strictObject({ act: z.literal('refund'), userId: id, paymentKey }),
  z.strictObject({ act: z.literal('clear_dispute'), userId: id, paymentKey }),
  /** Takes over what the provider says now of an order. */
  z.strictObject({ act: z.literal('adopt_order'), orderId: id }),
  z.strictObject({ act: z.literal('replay'), inboxId: z.string().regex(/^\d{1,18}$/) }),
  /** Ends every session of a user. */
  z.strictObject({ act: z.literal('sign_out'), userId: id }),
  /** Refuses new messages to a model until it is resumed; answers that run go on. */
  z.strictObject({ act: z.literal('pause_model'), model }),
  z.strictObject({ act: z.literal('resume_model'), model }),
  /** What a message to a model costs from a day on, UTC. */
  z.strictObject({
    act: z.literal('set_price'),
    model,
    cost: z.int().min(1).max(MAX_PRICE),
    from: z.iso.date(),
  }),
  /** Takes back a price whose day is yet to come. */
  z.strictObject({ act: z.literal('withdraw_price'), model, from: z.iso.date() }),
]);
export type Act = z.infer<typeof actSchema>;
export type ActName = Act['act'];

/** Every act that the audit log names: those of the console, what became of one, and those of the command line alone. An agreement is named by its act. */
export const AUDIT_ACTS = [
  ...actSchema.options.map(({ shape }) => shape.act.value),
  'refund_failed',
  'propose',
  'refuse',
  'make_operator',
  'remove_operator',
] as const;

/** `POST /api/admin/acts`: the browser chooses the id, and the same id again is the same act. */
export const actRequestSchema = z.strictObject({
  id,
  reason: z.string().trim().min(1).max(MAX_REASON),
  act: actSchema,
});
export type ActRequest = z.infer<typeof actRequestSchema>;

/** `POST /api/admin/acts/preview`. */
export const actPreviewRequestSchema = z.strictObject({ act: actSchema });

/** One thing that an act would change, as the operator reads it. */
export const actEffectSchema = z.object({
  what: z.enum([
    'balance',
    'refund_minor',
    'taken_back',
    'unspent',
    'blocked',
    'sessions',
    'inbox_status',
    'differences',
    'model_state',
    'cost',
    'context_tokens',
    'context_tokens_high',
  ]),
  before: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  after: z.union([z.number(), z.string(), z.boolean(), z.null()]),
});
export type ActEffect = z.infer<typeof actEffectSchema>;

/** Whom pausing a model concerns. */
export const pausePreviewSchema = z.object({
  /** Users who sent it a message in the last 24 hours. */
  users: z.int(),
  /** Answers that run now, and go on. */
  running: z.int(),
  /** What else those may use who may use it; no models: they are left without any. */
  others: z.array(z.object({ tier: tierSchema, models: z.array(bilingualSchema) })),
});
export type PausePreview = z.infer<typeof pausePreviewSchema>;

/** Whom a price concerns, and what it would have earned in the last 30 days; money in millionths of a US dollar. */
export const pricePreviewSchema = z.object({
  /** Users who sent it a message in the last 24 hours. */
  users: z.int(),
  /** Answers of the last 30 days. */
  answers: z.int(),
  /** What was left, and what would have been at this price: estimated, as if as many had been sent. */
  margin: z.int(),
  marginThen: z.int(),
});
export type PricePreview = z.infer<typeof pricePreviewSchema>;

/** What the act would change now, and whether a second operator has to agree. */
export const actPreviewSchema = z.object({
  effects: z.array(actEffectSchema),
  needsSecondOperator: z.boolean(),
  pause: pausePreviewSchema.optional(),
  price: pricePreviewSchema.optional(),
});
export type ActPreview = z.infer<typeof actPreviewSchema>;

/** `waiting`: a second operator has to agree. */
export const actOutcomeSchema = z.object({ id, state: z.enum(['done', 'waiting']) });
export type ActOutcome = z.infer<typeof actOutcomeSchema>;

/** An act above the limit, until a second operator agrees to it or refuses it. Times are epoch milliseconds. */
export const proposalSchema = z.object({
  id,
  act: actSchema,
  reason: z.string(),
  proposedBy: z.string(),
  /** Whether the reader asked for it: then another operator has to decide. */
  isOwn: z.boolean(),
  proposedAt: z.int(),
  /** Whom it concerns, as the operator knows them. */
  who: z.string().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;
export const proposalsSchema = z.object({ proposals: z.array(proposalSchema) });
export type Proposals = z.infer<typeof proposalsSchema>;

/** `POST /api/admin/proposals/:id`. */
export const decisionSchema = z.strictObject({ decision: z.enum(['agree', 'refuse']) });
