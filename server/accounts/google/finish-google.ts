import type { GoogleOutcome } from '#contract/google.ts';
import type { Deps } from '#server/deps.ts';
import { rootCause } from '#server/platform/root-cause.ts';
import type { Language } from '#server/platform/translate.ts';
import type { Actor } from '../authenticate.ts';
import { beginSecondStep } from '../begin-second-step.ts';
import { noteConfirmed } from '../confirmation-store.ts';
import { type Browser, openSession } from '../open-session.ts';
import { hasSecondFactor } from '../second-factor-store.ts';
import { sendNotice } from '../send-notice.ts';
import { consumeFlow, type GoogleFlow } from './flow-store.ts';
import type { GoogleClient, GoogleProfile } from './google-client.ts';
import { findGoogleUser, insertGoogleIdentity } from './google-store.ts';
import { linkGoogle } from './link-google.ts';
import { hashFlow } from './start-google.ts';

type FinishDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus' | 'log'>;

export interface Returning extends Browser {
  actor: Actor | null;
  browserToken: string | null;
  language: Language;
}

export interface Ending {
  outcome: GoogleOutcome;
  /** `Set-Cookie` values. */
  cookies: string[];
}

/**
 * What becomes of somebody whom Google sent back with `query`, and the flow in which they had gone; null in it when this browser has
 * no such flow, or no longer: it is good once. Never throws for what Google says.
 */
export async function finishGoogle(
  deps: FinishDeps,
  google: GoogleClient,
  query: URLSearchParams,
  returning: Returning,
): Promise<{ flow: GoogleFlow | null; ending: Ending }> {
  const { database, clock, log } = deps;
  const { browserToken } = returning;
  const state = query.get('state') ?? '';
  const hash = browserToken && hashFlow(state, browserToken);
  const flow = hash && (await consumeFlow(database.sql, hash, clock.now()));
  if (!flow) return { flow: null, ending: endWith('failed') };
  if (query.get('error') === 'access_denied') return { flow, ending: endWith('cancelled') };
  try {
    const profile = await google.redeem(new URL(`${flow.redirectUri}?${query}`), flow);
    return { flow, ending: await endings[flow.purpose](deps, profile, flow, returning) };
  } catch (error) {
    log.warn({ err: rootCause(error), purpose: flow.purpose }, 'signing in with Google failed');
    return { flow, ending: endWith('failed') };
  }
}

type End = (
  deps: FinishDeps,
  profile: GoogleProfile,
  flow: GoogleFlow,
  returning: Returning,
) => Promise<Ending>;

const endings: Record<GoogleFlow['purpose'], End> = {
  'sign-in': enter,
  'sign-up': enter,
  link: connect,
  confirm,
};

async function enter(
  deps: FinishDeps,
  profile: GoogleProfile,
  { rememberMe }: GoogleFlow,
  returning: Returning,
): Promise<Ending> {
  const userId = await linkGoogle(deps, profile, returning);
  if (userId === null) return endWith('unverified');
  const step = await beginSecondStep(deps, { userId, rememberMe });
  if (step) return { outcome: 'second_step', cookies: [step.cookie] };
  const { cookies } = await openSession(deps.database.sql, deps, { userId, rememberMe, ...returning });
  return { outcome: 'done', cookies };
}

async function connect(
  deps: FinishDeps,
  { sub, email }: GoogleProfile,
  { sessionId }: GoogleFlow,
  { actor }: Returning,
): Promise<Ending> {
  if (!actor || actor.sessionId !== sessionId) return endWith('failed');
  const { userId } = actor;
  const isNew = await deps.database.sql.begin(async (tx) => {
    const inserted = await insertGoogleIdentity(tx, { userId, sub, accountName: email });
    if (inserted) await sendNotice(tx, deps, userId, 'google_connected', { account: email ?? '' });
    return inserted;
  });
  const isOwn = isNew || (await findGoogleUser(deps.database.sql, sub)) === userId;
  return endWith(isOwn ? 'done' : 'other_account');
}

/** With a second factor on, Google alone proves too little. */
async function confirm(
  { database, clock }: FinishDeps,
  { sub }: GoogleProfile,
  { sessionId }: GoogleFlow,
  { actor }: Returning,
): Promise<Ending> {
  if (!actor || actor.sessionId !== sessionId) return endWith('failed');
  if ((await findGoogleUser(database.sql, sub)) !== actor.userId) return endWith('other_account');
  if (await hasSecondFactor(database.sql, actor.userId)) return endWith('failed');
  await noteConfirmed(database.sql, actor.sessionId, clock.databaseTime());
  return endWith('done');
}

/** An ending that sets no cookie. */
export function endWith(outcome: GoogleOutcome): Ending {
  return { outcome, cookies: [] };
}
