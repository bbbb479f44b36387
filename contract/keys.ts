import { z } from 'zod';
import { LATEST_MS, MAX_KEY_NAME } from './limits.ts';

const MAX_ADDRESSES = 20;
const MAX_CAP = 1_000_000;

/** What a key may do. Null: without that limit. */
const keyScopes = {
  /** Ids of models; further than the plan's no key reaches. */
  models: z
    .array(
      z
        .string()
        .min(1)
        .max(100)
        .regex(/^\P{Cc}+$/u),
    )
    .min(1)
    .max(50)
    .nullable(),
  /** Credits that the key may spend in a calendar month, UTC. */
  monthlyCap: z.int().min(1).max(MAX_CAP).nullable(),
  /** Networks from which it may be used, in CIDR notation. */
  allowedAddresses: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .min(1)
    .max(MAX_ADDRESSES)
    .nullable(),
  /** Epoch milliseconds after which it is refused. */
  expiresAt: z.int().positive().max(LATEST_MS).nullable(),
};

const nameSchema = z.string().trim().min(1).max(MAX_KEY_NAME);

export const createKeySchema = z.strictObject({
  name: nameSchema,
  models: keyScopes.models.default(null),
  monthlyCap: keyScopes.monthlyCap.default(null),
  allowedAddresses: keyScopes.allowedAddresses.default(null),
  expiresAt: keyScopes.expiresAt.default(null),
});
export type CreateKey = z.infer<typeof createKeySchema>;

/** `PATCH /api/keys/{id}`: what is left out stays as it is. */
export const changeKeySchema = z.strictObject({
  name: nameSchema.optional(),
  models: keyScopes.models.optional(),
  monthlyCap: keyScopes.monthlyCap.optional(),
  allowedAddresses: keyScopes.allowedAddresses.optional(),
  expiresAt: keyScopes.expiresAt.optional(),
});
export type ChangeKey = z.infer<typeof changeKeySchema>;

/** A key as its user sees it: never the key itself. */
export const apiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How the key begins. */
  prefix: z.string(),
  ...keyScopes,
  createdAt: z.int(),
  /** To the minute; null: not yet. */
  lastUsedAt: z.int().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The answer to `POST /api/keys`: the only one that holds the key. */
export const createdKeySchema = apiKeySchema.extend({ key: z.string() });
export type CreatedKey = z.infer<typeof createdKeySchema>;

export const keyListSchema = z.object({ keys: z.array(apiKeySchema) });
export type KeyList = z.infer<typeof keyListSchema>;

/** One day (UTC, `2026-11-21`), model and key of `GET /api/keys/usage`. Requests that failed cost nothing and count as requests. */
export const usageRowSchema = z.object({
  day: z.iso.date(),
  model: z.string(),
  /** Null: tried on the API page. */
  keyId: z.uuid().nullable(),
  keyName: z.string().nullable(),
  requests: z.int(),
  credits: z.int(),
});
export type UsageRow = z.infer<typeof usageRowSchema>;

export const MAX_USAGE_DAYS = 366;

export const usageSchema = z.object({ from: z.iso.date(), to: z.iso.date(), rows: z.array(usageRowSchema) });
export type Usage = z.infer<typeof usageSchema>;
