import { z } from 'zod';
import { MAX_PASSWORD } from './limits.ts';

/** `GET /api/me/email`: the caller's address and what is under way about it. Times are epoch milliseconds. */
export const emailStateSchema = z.object({
  email: z.email(),
  verified: z.boolean(),
  /** True when this server sends mail. */
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

/** The body of requests for which a link alone is not enough: `password` is that of the account, from whoever is not signed in to it. */
export const openedLinkSchema = z.strictObject({
  token: z.string().max(200),
  password: z.string().max(MAX_PASSWORD).optional(),
});

/** `POST /api/auth/confirm-email-change`: whether the address has changed now, or the other side is still to confirm. */
export interface ConfirmedEmail {
  changed: boolean;
  /** The new address. */
  email: string;
}

/** `POST /api/auth/request-sign-in-link`. Without an address: that of the sign-in which waits for its second step in this browser. */
export const requestSignInLinkSchema = z.strictObject({ email: z.string().optional() });
export type RequestSignInLink = z.infer<typeof requestSignInLinkSchema>;

/** `POST /api/auth/open-sign-in-link`: whose browser it is now. */
export interface OpenedSignInLink {
  email: string;
}
