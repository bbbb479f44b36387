import { z } from 'zod';

/** `GET /api/me/email`: the caller's address and what is under way about it. Times are epoch milliseconds. */
export const emailStateSchema = z.object({
  email: z.email(),
  verified: z.boolean(),
  /** Do the free credits wait until it is verified. */
  creditsWait: z.boolean(),
  /** Does this server send mail. */
  mail: z.boolean(),
  /** The address that is to follow, until both sides have confirmed. */
  change: z
    .object({
      email: z.email(),
      expiresAt: z.int(),
      oldConfirmed: z.boolean(),
      newConfirmed: z.boolean(),
    })
    .nullable(),
});
export type EmailState = z.infer<typeof emailStateSchema>;

/** `POST /api/me/email`. */
export const changeEmailSchema = z.strictObject({ email: z.string() });
export type ChangeEmail = z.infer<typeof changeEmailSchema>;

/** The body of every request that redeems the link of a mail. */
export const linkTokenSchema = z.strictObject({ token: z.string().max(200) });

/** `POST /api/auth/confirm-email-change`: whether the address has changed now, or the other side is still to confirm. */
export interface ConfirmedEmail {
  changed: boolean;
  /** The new address. */
  email: string;
}
