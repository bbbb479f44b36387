import { z } from 'zod';
import { subscriptionSchema } from './billing.ts';
import { NAME_MAX, PASSWORD_MAX } from './limits.ts';

/** The user record of the specification, section 3. Times are epoch milliseconds. */
export const userRecordSchema = z.object({
  uid: z.uuid(),
  email: z.email(),
  displayName: z.string().nullable(),
  photoURL: z.string().nullable(),
  credits: z.int(),
  subscription: subscriptionSchema.nullable(),
  createdAt: z.int(),
  lastLoginAt: z.int(),
});
export type UserRecord = z.infer<typeof userRecordSchema>;

/** `PATCH /api/me`. */
export const changeProfileSchema = z.strictObject({
  displayName: z.string().trim().min(1).max(NAME_MAX).optional(),
  /** In which the user is written to. */
  language: z.enum(['zh', 'en']).optional(),
});
export type ChangeProfile = z.infer<typeof changeProfileSchema>;

/** `POST /api/me/password`. */
export const changePasswordSchema = z.strictObject({
  /** Missing where there is none yet. */
  currentPassword: z.string().optional(),
  newPassword: z.string(),
});
export type ChangePassword = z.infer<typeof changePasswordSchema>;

/** `POST /api/auth/reset-password/offer`: the API keys that may be kept, which are void otherwise. */
export const resetOfferSchema = z.object({ keys: z.int() });
export type ResetOffer = z.infer<typeof resetOfferSchema>;

/** `POST /api/auth/reset-password`. `voided`: nobody had proved the address before, and every way in of the opener ended with it. */
export const resetDoneSchema = z.object({ status: z.literal(true), voided: z.boolean() });
export type ResetDone = z.infer<typeof resetDoneSchema>;

/** `POST /api/auth/weigh-password`: is this a password that others would try first. `email`: whose it is to be. */
export const weighPasswordSchema = z.strictObject({
  password: z.string().max(PASSWORD_MAX),
  email: z.string().max(254).optional(),
});
export interface WeighedPassword {
  common: boolean;
}

/** One signed-in browser. Times are epoch milliseconds; `usedAt` is right to within some minutes. */
export const sessionSchema = z.object({
  id: z.uuid(),
  /** As the browser names itself, cut to 300 characters. */
  userAgent: z.string(),
  address: z.string(),
  createdAt: z.int(),
  usedAt: z.int(),
  /** The one that asks. */
  current: z.boolean(),
});
export type Session = z.infer<typeof sessionSchema>;

/** `GET /api/sessions`: the last used first. */
export const sessionListSchema = z.object({ sessions: z.array(sessionSchema) });
export type SessionList = z.infer<typeof sessionListSchema>;
