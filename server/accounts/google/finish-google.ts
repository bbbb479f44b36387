import type { Deps } from '#server/deps.ts';
import { rootCause } from '#server/platform/log.ts';
import { type Ending, endWith, finishFlow, type Returning } from './finish-flow.ts';
import { consumeFlow, type GoogleFlow } from './flow-store.ts';
import type { GoogleClient } from './google-client.ts';
import { hashFlow } from './start-google.ts';

type FinishDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'bus' | 'log'>;

/**
 * What becomes of a person whom Google sent back with `query`, and the flow in which they had gone; null in it when this browser has
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
    return { flow, ending: await finishFlow(deps, profile, flow, returning) };
  } catch (error) {
    log.warn({ err: rootCause(error), purpose: flow.purpose }, 'signing in with Google failed');
    return { flow, ending: endWith('failed') };
  }
}
