import { z } from 'zod';
import { MAX_NAME } from '../limits.ts';

/** One passkey. Times are epoch milliseconds. */
export const passkeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Whether it is on more than one device of the user. */
  synced: z.boolean(),
  createdAt: z.int(),
  usedAt: z.int().nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** `GET /api/me/passkeys`: the oldest first. */
export const passkeyListSchema = z.object({ passkeys: z.array(passkeySchema) });
export type PasskeyList = z.infer<typeof passkeyListSchema>;

const part = z.base64url().max(20_000);

/** What `navigator.credentials.get` gave, as JSON (WebAuthn 3, 5.1); what it has beside is not looked at. */
export const passkeyAnswerSchema = z.object({
  id: part,
  rawId: part,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: part, authenticatorData: part, signature: part }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>;

const passkeyName = z.string().trim().min(1).max(MAX_NAME);

/** `POST /api/me/passkeys`: what `navigator.credentials.create` gave. */
export const registerPasskeySchema = z.strictObject({
  name: passkeyName,
  answer: z.object({
    id: part,
    rawId: part,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: part,
      attestationObject: part,
      transports: z.array(z.string().max(50)).max(10).optional(),
    }),
  }),
});
export type RegisterPasskey = z.infer<typeof registerPasskeySchema>;

/** `PATCH /api/me/passkeys/{id}`. */
export const renamePasskeySchema = z.strictObject({ name: passkeyName });

/** `POST /api/auth/passkey`. */
export const signInByPasskeySchema = z.strictObject({
  passkey: passkeyAnswerSchema,
  /** False: the session ends with the browser, and after a day. */
  rememberMe: z.boolean().optional(),
});
export type SignInByPasskey = z.infer<typeof signInByPasskeySchema>;
