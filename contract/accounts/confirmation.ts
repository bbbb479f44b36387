import { z } from 'zod';
import { passkeyAnswerSchema } from './passkeys.ts';

/** A way for whoever sits at a signed-in browser to prove to be its user; `code` is one of the app or a recovery code. */
export const confirmationMethodSchema = z.enum(['password', 'google', 'code', 'passkey']);
export type ConfirmationMethod = z.infer<typeof confirmationMethodSchema>;

/** `GET /api/me/confirm`: the ways that this user has; with a second factor, those alone that prove it. */
export const confirmationMethodsSchema = z.object({ methods: z.array(confirmationMethodSchema) });
export type ConfirmationMethods = z.infer<typeof confirmationMethodsSchema>;

const codeProofSchema = z.strictObject({ code: z.string().max(100) });
const passkeyProofSchema = z.strictObject({ passkey: passkeyAnswerSchema });

/** `POST /api/auth/second-factor`. */
export const secondFactorProofSchema = z.union([codeProofSchema, passkeyProofSchema]);
export type SecondFactorProof = z.infer<typeof secondFactorProofSchema>;

/** `POST /api/me/confirm`. */
export const confirmIdentitySchema = z.union([
  z.strictObject({ password: z.string() }),
  codeProofSchema,
  passkeyProofSchema,
]);
export type ConfirmIdentity = z.infer<typeof confirmIdentitySchema>;
