import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { limitSignUps } from '../abuse/limit-sign-ups.ts';
import { type EmailFacts, recogniseEmail, shareOfNetwork } from '../abuse/recognise-email.ts';
import { sendVerification } from '../email/request-verification.ts';
import { publishAccessEnd } from '../sessions/publish-access-end.ts';
import { nameOf } from '../sign-in/sign-up.ts';
import { findUserByEmail } from '../users/email-store.ts';
import { insertUser } from '../users/identity-store.ts';
import type { GoogleProfile } from './google-client.ts';
import { findGoogleUser, insertGoogleIdentity } from './google-store.ts';
import { linkByAddress } from './link-identity.ts';
import { recogniseAuthority } from './recognise-authority.ts';

type LinkDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * `unverified`: Google does not vouch for the address. `address_in_use`: another user has it, and Google does not speak for the mailbox.
 * `account_leaving`: their account has it, and is being deleted.
 */
export type LinkRefusal = 'unverified' | 'address_in_use' | 'account_leaving';

/** Whose account it becomes where there is none. */
interface Newcomer {
  ip: string;
  language: Language;
}

/** A Google account with an address that Google has verified. */
type Vouched = GoogleProfile & { email: string } & EmailFacts;

/**
 * Finds or opens the account of a Google account. The first case that holds decides:
 * 1. The Google account is linked: that account.
 * 2. Google has not verified the address: refused, `unverified`.
 * 3. No account has the address: a new one. Its address is verified where Google speaks for the mailbox.
 * 4. Google does not speak for the mailbox: refused, `address_in_use`.
 * 5. The account with the address is being deleted: refused, `account_leaving`.
 * 6. Else that account, linked; whoever opened it without proving the mailbox loses their ways in.
 * Throws `rate_limited`.
 */
export async function linkGoogle(
  deps: LinkDeps,
  profile: GoogleProfile,
  newcomer: Newcomer,
): Promise<{ userId: string } | { refused: LinkRefusal }> {
  const { sql } = deps.database;
  const known = await findGoogleUser(sql, profile.sub);
  if (known !== null) return { userId: known };
  const { email } = profile;
  if (email === null || email.length > 254 || !profile.emailVerified) return { refused: 'unverified' };
  const user = await findUserByEmail(sql, email);
  if (!user) {
    await limitSignUps(deps, newcomer.ip);
    const facts = await recogniseEmail(deps, email);
    const created = await sql.begin((tx) => openAccount(tx, deps, { ...profile, email, ...facts }, newcomer));
    // Null: another request was quicker, perhaps of the same user in another tab.
    const now = created ?? (await findGoogleUser(sql, profile.sub));
    if (now !== null) return { userId: now };
  }
  if (!recogniseAuthority(profile)) return { refused: 'address_in_use' };
  const owner = user ?? (await findUserByEmail(sql, email));
  if (!owner) throw new Error('the account was deleted during a sign-in to it');
  if (owner.isLeaving) return { refused: 'account_leaving' };
  const proof = await sql.begin((tx) => linkByAddress(tx, deps, owner.id, { sub: profile.sub, email }));
  publishAccessEnd(deps.bus, owner.id, proof);
  return { userId: owner.id };
}

/** A new account; null: another request has opened one with the address meanwhile. */
async function openAccount(
  tx: Executor,
  deps: LinkDeps,
  { sub, name, ...profile }: Vouched,
  { ip, language }: Newcomer,
): Promise<string | null> {
  const { email, emailHash, domainShare } = profile;
  const emailVerified = recogniseAuthority(profile);
  const waits = !emailVerified && deps.config.verifiedEmailRequired;
  const freeWithheld = profile.freeWithheld ?? (waits ? 'unverified' : null);
  const displayName = nameOf(name, email);
  const networkShare = emailVerified ? null : shareOfNetwork(deps, ip);
  const facts = { emailHash, freeWithheld, domainShare, networkShare };
  const newcomer = { email, displayName, language, emailVerified, ...facts };
  const userId = await insertUser(tx, newcomer, deps.clock.databaseTime());
  if (userId === null) return null;
  await insertGoogleIdentity(tx, { userId, sub, accountName: email, at: deps.clock.now() });
  if (!emailVerified) await sendVerification(tx, deps, userId, newcomer);
  return userId;
}
