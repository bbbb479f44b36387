import { z } from 'zod';

/** What a person goes to Google for: to sign in or up, to have it as another way in, or to prove that it is still them. */
export const googlePurposeSchema = z.enum(['sign-in', 'sign-up', 'link', 'confirm']);
export type GooglePurpose = z.infer<typeof googlePurposeSchema>;

/** `GET /api/auth/google/start`, a page to go to: in a popup, which informs its opener how it went, or in place of this one. */
export const googleStartSchema = z.strictObject({
  purpose: googlePurposeSchema.default('sign-in'),
  mode: z.enum(['popup', 'redirect']),
  /** Where a redirect leads in the end: a path of ours. */
  returnTo: z.string().max(2000).default(''),
  /** `false`: the session ends with the browser, and after a day. */
  remember: z.enum(['true', 'false']).default('true'),
  /** The value by which the opener of a popup recognises it. */
  flow: z.string().max(64).default(''),
});
export type GoogleStart = z.infer<typeof googleStartSchema>;

/**
 * How it went. `cancelled`: the user turned back. `unverified`: Google does not vouch for the address. `other_account`: the Google
 * account is another user's, or not the one that was to confirm. `address_in_use`: another user has the address, and Google does not speak
 * for its mailbox: they sign in as before, and then connect. `account_leaving`: the account is being deleted. `second_step`: the account asks for its second factor now,
 * which `GET /api/auth/second-factor` describes.
 */
export const googleOutcomeSchema = z.enum([
  'done',
  'cancelled',
  'failed',
  'unverified',
  'other_account',
  'address_in_use',
  'account_leaving',
  'second_step',
]);
export type GoogleOutcome = z.infer<typeof googleOutcomeSchema>;

/** How a popup reports how it went, on the `BroadcastChannel` that `web/public/google-done.js` names. */
export const googleNewsSchema = z.object({
  flow: z.string(),
  outcome: googleOutcomeSchema,
});
export type GoogleNews = z.infer<typeof googleNewsSchema>;

/** `GET /api/auth/options`: the ways in beside a password that this installation offers, and whether credits wait for a verified address. */
export const signInOptionsSchema = z.object({ google: z.boolean(), creditsWait: z.boolean() });
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

/** One way in. `id` null is the password; `account` names the account elsewhere. Times are epoch milliseconds. */
export const signInMethodSchema = z.object({
  id: z.uuid().nullable(),
  provider: z.enum(['password', 'google']),
  account: z.string().nullable(),
  createdAt: z.int(),
});
export type SignInMethod = z.infer<typeof signInMethodSchema>;

/** `GET /api/me/sign-ins`. */
export const signInMethodsSchema = z.object({ signIns: z.array(signInMethodSchema) });
export type SignInMethods = z.infer<typeof signInMethodsSchema>;
