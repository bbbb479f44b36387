import { z } from 'zod';
import { subscriptionSchema } from './billing.ts';
import { LANGUAGES } from './choices.ts';
import { MAX_NAME, MAX_PASSWORD } from './limits.ts';

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
  displayName: z.string().trim().min(1).max(MAX_NAME).optional(),
  /** The language that the user is written to in. */
  language: z.enum(LANGUAGES).optional(),
});
export type ChangeProfile = z.infer<typeof changeProfileSchema>;

/** `POST /api/me/password`. */
export const changePasswordSchema = z.strictObject({
  /** Missing where there is none yet. */
  currentPassword: z.string().optional(),
  newPassword: z.string(),
});
export type ChangePassword = z.infer<typeof changePasswordSchema>;

/** Most ways in of one account. */
export const MAX_WAYS = 200;

/** `POST /api/auth/reset-password/offer`: what else opens the account, to be ended or kept. Times are epoch milliseconds. */
export const resetOfferSchema = z.object({
  /** The newest first; none where all of them end anyway, because no one had proved the mailbox. */
  ways: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(['passkey', 'google', 'api_key']),
      name: z.string(),
      createdAt: z.int(),
      /** True when it is so new that a thief may have added it. */
      recent: z.boolean(),
    }),
  ),
  /** Since when a second factor is on, which a reset leaves on; null: it is off, or ends. */
  secondFactorSince: z.int().nullable(),
  /** The mailbox was not proved: every way in ends. */
  everything: z.boolean(),
});
export type ResetOffer = z.infer<typeof resetOfferSchema>;

/** `POST /api/auth/disown-notice/offer`: what “this was not me” will end, beside every session and the password. */
export const noticeOfferSchema = z.object({
  email: z.string(),
  /** What the notice was about, while it is there. */
  named: z
    .object({ kind: z.enum(['passkey', 'google', 'api_key', 'second_factor']), name: z.string() })
    .nullable(),
  /** No one had proved the mailbox: every way in ends. */
  everything: z.boolean(),
  /** Another second factor than the one of the notice is on, and stays. */
  secondFactorStays: z.boolean(),
});
export type NoticeOffer = z.infer<typeof noticeOfferSchema>;

/** `POST /api/auth/disown-notice`: a proof of the mailbox for `POST /api/auth/reset-password`. */
export interface DisownedNotice {
  resetToken: string;
}

/** `POST /api/auth/reset-password`. */
export const resetPasswordSchema = z.strictObject({
  token: z.string().max(200),
  newPassword: z.string(),
  /** Ids of passkeys, Google accounts and API keys that stay good; none in an account whose mailbox was unproved before. */
  keep: z.array(z.uuid().toLowerCase()).max(MAX_WAYS).optional(),
});
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

/** Its answer. `voided`: no one had proved the address before, and every way in of the opener ended with it. */
export const resetDoneSchema = z.object({ status: z.literal(true), voided: z.boolean() });
export type ResetDone = z.infer<typeof resetDoneSchema>;

/** `POST /api/auth/check-password`: is this a password that others would try first. `email`: whose it is to be. */
export const checkPasswordSchema = z.strictObject({
  password: z.string().max(MAX_PASSWORD),
  email: z.string().max(254).optional(),
});
export interface CheckedPassword {
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
