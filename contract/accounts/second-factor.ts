import { z } from 'zod';

/** `GET /api/me/second-factor`. */
export const secondFactorSchema = z.object({
  on: z.boolean(),
  /** Since when, epoch milliseconds; null while it is off. */
  since: z.int().nullable(),
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** `POST /api/me/second-factor/enrolment`: what an authenticator app is given. */
export const enrolmentSchema = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** `otpauth://totp/…`, for the QR code. */
  url: z.string(),
});
export type Enrolment = z.infer<typeof enrolmentSchema>;

/** `POST /api/me/second-factor`: the first code of the app. */
export const finishEnrolmentSchema = z.strictObject({ code: z.string().max(100) });

/** Codes that are shown once and never again. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

/** A way to go on with a sign-in; `code` is one of the app or a recovery code. */
const secondStepMethodSchema = z.enum(['code', 'passkey']);

/** The answer to a sign-in whose first factor was right, where a second one is on: no one is signed in yet. */
export const secondStepSchema = z.object({
  twoFactor: z.literal(true),
  methods: z.array(secondStepMethodSchema),
});
export type SecondStep = z.infer<typeof secondStepSchema>;
