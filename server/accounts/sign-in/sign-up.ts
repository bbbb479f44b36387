import { z } from 'zod';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { cleanName } from '#server/platform/clean-text.ts';
import { limitSignUps } from '../abuse/limit-sign-ups.ts';
import { recogniseEmail, shareOfNetwork } from '../abuse/recognise-email.ts';
import { type Solver, verifyCaptcha } from '../abuse/verify-captcha.ts';
import { sendVerification } from '../email/request-verification.ts';
import { requireNewPassword } from '../passwords/password-rules.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { insertUser } from '../users/identity-store.ts';
import { updatePassword } from '../users/password-store.ts';
import type { SignedIn } from './sign-in.ts';

export const signUpSchema = z.strictObject({
  email: z.string(),
  password: z.string(),
  /** The display name; without one it is the address up to the @. */
  name: z.string().optional(),
  rememberMe: z.boolean().optional(),
});

const MAX_NAME = 100;
const emailSchema = z.email().max(254);

/**
 * Opens an account, signs it in and asks by mail whether the address is its own; all of it happens or nothing does. Its 40 credits
 * come with it, but not for a disposable address, nor before the address is verified where that is asked for. Throws
 * `email_invalid`, `password_too_short`, `password_too_long`, `email_taken`, `rate_limited`, and as `verifyCaptcha`.
 */
export async function signUp(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>,
  input: z.infer<typeof signUpSchema>,
  browser: Browser & Solver & { language: Language },
): Promise<SignedIn> {
  const { rememberMe = true, password } = input;
  const email = input.email.trim().toLowerCase();
  if (!emailSchema.safeParse(email).success) throw new AppError('email_invalid');
  requireNewPassword(password);
  await verifyCaptcha(deps, browser);
  await limitSignUps(deps, browser.ip);
  const facts = await recogniseEmail(deps, email);
  const hash = await hashPassword(password, deps.config.hashing);
  const displayName = nameOf(input.name, email);
  const { language } = browser;
  return deps.database.sql.begin(async (tx) => {
    const withheld = facts.freeWithheld ?? (deps.config.verifiedEmailRequired ? 'unverified' : null);
    const networkShare = shareOfNetwork(deps, browser.ip);
    const user = {
      email,
      displayName,
      language,
      emailVerified: false,
      ...facts,
      freeWithheld: withheld,
      networkShare,
    };
    const userId = await insertUser(tx, user, deps.clock.databaseTime());
    if (userId === null) throw new AppError('email_taken');
    await updatePassword(tx, userId, hash);
    await sendVerification(tx, deps, userId, user);
    const { cookies } = await openSession(tx, deps, { userId, rememberMe, ...browser });
    return { userId, cookies };
  });
}

/** The name of a new user: the given one, else the local part of the address. */
export function nameOf(given: string | undefined, email: string): string {
  const name = cleanName(given ?? '') || email.slice(0, email.lastIndexOf('@'));
  return [...name].slice(0, MAX_NAME).join('');
}
