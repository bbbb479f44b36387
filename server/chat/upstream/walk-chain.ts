import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import type { Log } from '#server/platform/log.ts';
import { alertOperator, type UpstreamAlert } from './alert-operator.ts';
import type { GoneModels } from './gone-models.ts';
import type { Guard } from './guard.ts';
import { createRetryPolicy, type RetryPolicy } from './retry.ts';
import { UpstreamError } from './upstream-error.ts';

export interface ChainDeps {
  log: Log;
  gone: GoneModels;
  onAlert: ((alert: UpstreamAlert) => void) | undefined;
}

/** One try at one route; `started` once anything of an answer was handed over, after which nothing is tried again. */
export interface Attempt {
  started: boolean;
}

type Call<T> = (route: UpstreamRoute, attempt: Attempt) => Promise<T>;

/** Waits, unless the call is stopped or runs out of time meanwhile. */
function pause(ms: number, guard: Guard): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      guard.detach();
      resolve();
    }, ms);
    guard.attach((error) => {
      clearTimeout(timer);
      reject(error);
    });
    guard.enter('first_token');
  });
}

async function tryRoute<T>(
  route: UpstreamRoute,
  guard: Guard,
  { log }: ChainDeps,
  policy: RetryPolicy,
  call: Call<T>,
): Promise<T> {
  if (route.missingSetting !== null) {
    throw new UpstreamError('not_configured', `${route.missingSetting} is not set`, {
      vendorCode: route.missingSetting,
    });
  }
  for (;;) {
    const attempt = { started: false };
    try {
      return await call(route, attempt);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const waitMs = attempt.started ? null : policy.next(error, guard.leftForFirstToken());
      const { kind, status, vendorCode, phase } = error;
      const fields = { upstreamModel: route.model, kind, status, vendorCode, phase, waitMs };
      if (kind !== 'aborted') log.warn(fields, 'model call failed');
      if (waitMs === null) throw error;
      await pause(waitMs, guard);
    }
  }
}

/** Tries the routes of a chain in turn: the next one only where a model is gone. What only an operator can mend is reported. */
export async function walkChain<T>(
  chain: readonly UpstreamRoute[],
  guard: Guard,
  deps: ChainDeps,
  call: Call<T>,
): Promise<T> {
  const policy = createRetryPolicy();
  const present = deps.gone.present(chain);
  for (const [index, route] of present.entries()) {
    try {
      return await tryRoute(route, guard, deps, policy, call);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const isGone = error.kind === 'not_found';
      if (isGone) deps.gone.mark(route);
      if (isGone && index + 1 < present.length) continue;
      alertOperator(error, route, deps.log, deps.onAlert);
      throw error;
    }
  }
  throw new UpstreamError('missing_model', 'the chain is empty');
}
