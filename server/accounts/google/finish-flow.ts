import type { GoogleOutcome } from '#contract/accounts/google.ts';
import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { listConfirmationMethods } from '../confirmation/list-confirmation-methods.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { confirmSession } from '../sessions/confirm-session.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { startSecondStep } from '../sign-in/start-second-step.ts';
import { lockUser } from '../users/access-store.ts';
import type { GoogleFlow } from './flow-store.ts';
import type { GoogleProfile } from './google-client.ts';
import { findGoogleUser } from './google-store.ts';
import { linkGoogle } from './link-google.ts';
import { linkIdentity } from './link-identity.ts';

type FinishDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>;

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

/** Does what the flow was for, now that the Google account is known. */
export function finishFlow(
  deps: FinishDeps,
  profile: GoogleProfile,
  flow: GoogleFlow,
  returning: Returning,
): Promise<Ending> {
  return endings[flow.purpose](deps, profile, flow, returning);
}

async function enter(
  deps: FinishDeps,
  profile: GoogleProfile,
  { rememberMe }: GoogleFlow,
  returning: Returning,
): Promise<Ending> {
  const linked = await linkGoogle(deps, profile, returning);
  if ('refused' in linked) return endWith(linked.refused);
  const { userId } = linked;
  return deps.database.sql.begin(async (tx): Promise<Ending> => {
    if (!(await lockUser(tx, userId))) return endWith('account_leaving');
    if ((await findGoogleUser(tx, profile.sub)) !== userId) return endWith('failed');
    const step = await startSecondStep(tx, deps, { userId, rememberMe });
    if (step) return { outcome: 'second_step', cookies: [step.cookie] };
    const { cookies } = await openSession(tx, deps, { userId, rememberMe, ...returning });
    return { outcome: 'done', cookies };
  });
}

async function connect(
  deps: FinishDeps,
  profile: GoogleProfile,
  { sessionId }: GoogleFlow,
  { actor }: Returning,
): Promise<Ending> {
  if (!actor || actor.sessionId !== sessionId) return endWith('failed');
  const known = await findGoogleUser(deps.database.sql, profile.sub);
  if (known !== null) return endWith(known === actor.userId ? 'done' : 'other_account');
  return endWith((await linkIdentity(deps, actor, profile)) ? 'done' : 'other_account');
}

/** Where there is a better proof, Google proves too little. */
async function confirm(
  deps: FinishDeps,
  { sub }: GoogleProfile,
  { sessionId }: GoogleFlow,
  { actor }: Returning,
): Promise<Ending> {
  if (!actor || actor.sessionId !== sessionId) return endWith('failed');
  if ((await findGoogleUser(deps.database.sql, sub)) !== actor.userId) return endWith('other_account');
  if (!(await listConfirmationMethods(deps, actor.userId)).includes('google')) return endWith('failed');
  const cookie = await confirmSession(deps, actor, async () => {});
  return { outcome: 'done', cookies: [cookie] };
}

/** An ending that sets no cookie. */
export function endWith(outcome: GoogleOutcome): Ending {
  return { outcome, cookies: [] };
}
