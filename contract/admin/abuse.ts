import { z } from 'zod';

/** Times are epoch milliseconds. Nothing here is what a user wrote. */
const time = z.int();
const userId = z.uuid();
/** Null: the account is deleted. */
const email = z.string().nullable();

/** Why an account has no free month. */
export const WITHHELD_REASONS = [
  'disposable',
  'unverified',
  'address_used',
  'domain_busy',
  'network_busy',
] as const;

/** What accounts have in common that were opened since. */
const group = z.object({
  signUps: z.int(),
  /** Accounts whose address is proved. */
  verified: z.int(),
  /** Accounts that were given a free month, and accounts that were refused it. */
  given: z.int(),
  withheld: z.int(),
  reasons: z.array(z.enum(WITHHELD_REASONS)),
  newest: z.object({ userId, email }),
});
export type SignUpGroup = z.infer<typeof group>;

/** `GET /api/admin/abuse`: signs of abuse, each list with the most conspicuous first. */
export const abuseSchema = z.object({
  /** From when on sign-ups, declined cards and files are counted. */
  since: time,
  /** `name`: the network as it is written; null where that is not known any more. `hash`: knows it from others. */
  networks: z.array(group.extend({ hash: z.string(), name: z.string().nullable() })),
  domains: z.array(group.extend({ domain: z.string() })),
  /** Free messages of today (UTC), and how many a user has a day. */
  freeMessages: z.object({
    unansweredLimit: z.int(),
    unchargedLimit: z.int(),
    users: z.array(z.object({ userId, email, viaApi: z.boolean(), unanswered: z.int(), uncharged: z.int() })),
  }),
  /** Addresses at which strangers tried passwords without success. `userId`: null where no account has the address. */
  signIns: z.array(z.object({ address: z.string(), userId: userId.nullable(), tries: z.int(), since: time })),
  /** Users whose cards were declined. */
  declines: z.array(z.object({ userId, email, declined: z.int(), paid: z.int(), lastAt: time })),
  /** Users whose files grew most, in bytes. `total`: of all their files. */
  files: z.array(z.object({ userId, email, files: z.int(), bytes: z.int(), total: z.int() })),
});
export type AbuseScreen = z.infer<typeof abuseSchema>;
