import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import type { Language } from '#server/platform/translate.ts';
import type { Auth } from './create-auth.ts';
import { limitSignUps } from './limit-sign-ups.ts';
import { requireNewPassword } from './password-rules.ts';
import { type AuthCall, FailedSignUp, sendToAuth } from './send-to-auth.ts';
import { isEmailTaken, storeLanguage } from './store.ts';

export const signUpSchema = z.strictObject({
  email: z.string(),
  password: z.string(),
  /** The display name; without one it is the address up to the @. */
  name: z.string().optional(),
  rememberMe: z.boolean().optional(),
});

const NAME_MAX = 100;
const emailSchema = z.email().max(254);

/**
 * Opens an account with its 40 credits and signs it in; the answer sets the session cookie. Throws `email_invalid`,
 * `password_too_short`, `password_too_long`, `email_taken`, `rate_limited`.
 */
export async function signUp(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  auth: Auth,
  call: AuthCall,
  input: z.infer<typeof signUpSchema>,
  language: Language,
): Promise<Response> {
  const email = input.email.trim().toLowerCase();
  if (!emailSchema.safeParse(email).success) throw new AppError('email_invalid');
  const { password, rememberMe = true } = input;
  requireNewPassword(password);
  await limitSignUps(deps, call.address);
  const given = cleanText(input.name ?? '').trim();
  const name = [...(given || email.slice(0, email.lastIndexOf('@')))].slice(0, NAME_MAX).join('');
  try {
    const response = await sendToAuth(auth, { ...call, body: { email, password, name, rememberMe } });
    await storeLanguage(deps.database.sql, email, language);
    return response;
  } catch (error) {
    if (!(error instanceof FailedSignUp)) throw error;
    if (await isEmailTaken(deps.database.sql, email)) throw new AppError('email_taken');
    throw error;
  }
}
