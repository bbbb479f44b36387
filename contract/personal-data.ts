import { z } from 'zod';

/** `POST /api/me/delete`: the address of the account, typed by its user. */
export const deleteAccountSchema = z.strictObject({ email: z.string().max(300) });

/** `waiting`: all is deleted as soon as a payment provider has confirmed that it will not charge again. */
export const deletionSchema = z.object({ state: z.enum(['deleted', 'waiting']) });
export type Deletion = z.infer<typeof deletionSchema>;
export type DeletionState = Deletion['state'];

/** One ZIP of a user's data. Times are epoch milliseconds. */
export const exportSchema = z.object({
  id: z.uuid(),
  state: z.enum(['waiting', 'ready', 'failed']),
  requestedAt: z.int(),
  /** Bytes; null until it is ready. */
  size: z.int().nullable(),
  /** It is deleted then; null until it is ready. */
  expiresAt: z.int().nullable(),
});
export type DataExport = z.infer<typeof exportSchema>;

/** `GET /api/me/exports`: the newest first. */
export const exportListSchema = z.object({ exports: z.array(exportSchema) });
export type ExportList = z.infer<typeof exportListSchema>;
