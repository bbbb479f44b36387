import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database.ts';
import type { Language } from '#server/platform/translate.ts';
import { insertUser } from '../identity-store.ts';
import { limitSignUps } from '../limit-sign-ups.ts';
import { publishSignedOut } from '../live-sessions.ts';
import { type AddressFacts, recogniseAddress } from '../recognise-address.ts';
import { sendNotice } from '../send-notice.ts';
import { nameOf } from '../sign-up.ts';
import { findUserByEmail, markVerified } from '../verification-store.ts';
import { voidUnprovenAccess } from '../void-unproven-access.ts';
import type { GoogleProfile } from './google-client.ts';
import { findGoogleUser, insertGoogleIdentity, lockUserByEmail } from './google-store.ts';

type LinkDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

/**
 * Whose account a Google account leads to: by its own name; else, for an address that Google vouches for, by that, where nobody else
 * keeps a way in that never proved it; else a new one with its 40 credits. Null: Google does not vouch for the address. Throws
 * `rate_limited`.
 */
export async function linkGoogle(
  deps: LinkDeps,
  profile: GoogleProfile,
  newcomer: { address: string; language: Language },
): Promise<string | null> {
  const { sql } = deps.database;
  const known = await findGoogleUser(sql, profile.sub);
  if (known !== null) return known;
  const { email } = profile;
  if (email === null || email.length > 254 || !profile.emailVerified) return null;
  if (!(await findUserByEmail(sql, email))) await limitSignUps(deps, newcomer.address);
  const facts = await recogniseAddress(deps, email);
  const { userId, voided } = await sql.begin((tx) =>
    linkByEmail(tx, deps, { ...profile, email, ...facts }, newcomer.language),
  );
  if (voided) publishSignedOut(deps.bus, userId, null);
  return userId;
}

async function linkByEmail(
  tx: Executor,
  deps: LinkDeps,
  { sub, name, ...known }: GoogleProfile & { email: string } & AddressFacts,
  language: Language,
): Promise<{ userId: string; voided: boolean }> {
  const { email, addressHash, freeWithheld, domainShare } = known;
  const displayName = nameOf(name, email);
  const newcomer = {
    email,
    displayName,
    language,
    emailVerified: true,
    addressHash,
    freeWithheld,
    domainShare,
  };
  const newId = await insertUser(tx, newcomer, deps.clock.databaseTime());
  if (newId !== null) {
    await insertGoogleIdentity(tx, { userId: newId, sub, accountName: email });
    return { userId: newId, voided: false };
  }
  const user = await lockUserByEmail(tx, email);
  if (!user) throw new Error('the account went while somebody signed in to it');
  const voided = !user.emailVerified;
  if (voided) await voidUnprovenAccess(tx, deps, user.id);
  await markVerified(tx, user.id);
  const isNew = await insertGoogleIdentity(tx, { userId: user.id, sub, accountName: email });
  if (isNew && !voided) await sendNotice(tx, deps, user.id, 'google_connected', { account: email });
  return { userId: user.id, voided };
}
