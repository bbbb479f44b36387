import { isIP } from 'node:net';
import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { Log } from '#server/platform/log.ts';
import type { Span, SpanStart, Tracing } from '#server/platform/telemetry/tracing.ts';
import { alertOperator, type UpstreamAlert } from './alert-operator.ts';
import type { RetiredModels } from './retired-models.ts';
import { createRetryPolicy, type RetryPolicy } from './retry.ts';
import type { CallDeadline } from './transport/call-deadline.ts';
import { UpstreamError, type UpstreamErrorKind } from './transport/upstream-error.ts';

export interface ChainDeps {
  log: Log;
  tracing: Tracing;
  /** The operation, named as OpenTelemetry does. */
  operation: 'chat' | 'count_tokens';
  /** The question has functions of its caller: some providers answer 404 where they have no model for these. */
  hasFunctions?: boolean;
  retired: RetiredModels;
  onAlert?: (alert: UpstreamAlert) => void;
  onCall?: (call: UpstreamCall) => void;
}

/** One try of a call, by how it ended. */
export interface UpstreamCall {
  upstreamModel: string;
  outcome: 'ok' | UpstreamErrorKind;
}

/** The tries at one route. */
export interface Attempt {
  /** Whether a piece of the answer was passed on: then nothing is tried again. */
  started: boolean;
  /** Measures the try under way. */
  span?: Span;
}

/** The share of a route of the time for the first token, while another provider of its model may be asked. */
const REPLACEABLE_SHARE = 0.6;
/** A route that asks for a longer pause than this is replaced rather than waited for. */
const MAX_RETRY_PAUSE_MS = 1_000;
/** With less than this for an answer no other route is asked. */
const MIN_LEFT_MS = 500;

type Call<T> = (route: UpstreamRoute, attempt: Attempt) => Promise<T>;

/** Waits, unless the call is stopped or runs out of time meanwhile. */
function pause(ms: number, deadline: CallDeadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      deadline.detach();
      resolve();
    }, ms);
    deadline.attach((error) => {
      clearTimeout(timer);
      reject(error);
    });
    deadline.enter('first_token');
  });
}

interface RouteCall {
  route: UpstreamRoute;
  attempt: Attempt;
  /** Whether another provider of the same model may be asked instead. */
  hasFallback: boolean;
}

function measureTry<T>(
  { tracing, operation }: ChainDeps,
  route: UpstreamRoute,
  attempt: Attempt,
  call: Call<T>,
): Promise<T> {
  return tracing.measure(spanOf(operation, route), async (span) => {
    attempt.span = span;
    try {
      const result = await call(route, attempt);
      span.set({ 'parley.outcome': 'ok' });
      return result;
    } catch (error) {
      if (error instanceof UpstreamError) span.set({ 'parley.outcome': error.kind });
      throw error;
    }
  });
}

/** The attributes of a span, by OpenTelemetry's conventions for model calls. */
function spanOf(operation: string, { model, dialect, baseUrl }: UpstreamRoute): SpanStart {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return {
    name: `${operation} ${model}`,
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'gen_ai.provider.name': dialect,
      'server.address': isAddress ? undefined : host,
    },
  };
}

async function tryRoute<T>(
  { route, attempt, hasFallback }: RouteCall,
  deadline: CallDeadline,
  deps: ChainDeps,
  policy: RetryPolicy,
  call: Call<T>,
): Promise<T> {
  const { log, onCall } = deps;
  if (route.missingSetting !== null) {
    throw new UpstreamError('not_configured', `${route.missingSetting} is not set`, {
      vendorCode: route.missingSetting,
    });
  }
  for (;;) {
    try {
      const result = await measureTry(deps, route, attempt, call);
      onCall?.({ upstreamModel: route.model, outcome: 'ok' });
      return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      onCall?.({ upstreamModel: route.model, outcome: error.kind });
      const wished = attempt.started ? null : policy.next(error, deadline.leftForFirstToken());
      const waitMs = hasFallback && wished !== null && wished > MAX_RETRY_PAUSE_MS ? null : wished;
      const { kind, status, vendorCode, phase, metadata } = error;
      const searches = metadata?.searches || undefined;
      const fields = { upstreamModel: route.model, kind, status, vendorCode, phase, searches, waitMs };
      if (kind !== 'aborted') log.warn(fields, 'model call failed');
      if (waitMs === null) throw error;
      await pause(waitMs, deadline);
    }
  }
}

/** Errors that another provider of the same model may not make: a fault of the request, or a block, is not among them. */
const PROVIDER_FAULTS: ReadonlySet<UpstreamErrorKind> = new Set<UpstreamErrorKind>([
  'auth',
  'balance',
  'not_configured',
  'rate',
  'overloaded',
  'connect',
  'timeout',
  'fetch',
  'truncated',
  'parse',
  'model_error',
]);

/**
 * Errors caused by one request. They must not mark the route as troubled for other users, or one caller would move all of them to a
 * fallback.
 */
function isOfOneRequest({ kind, status, phase }: UpstreamError): boolean {
  const isRefused = status !== null && status >= 400 && status < 500;
  return (
    kind === 'model_error' || kind === 'not_found' || (kind === 'fetch' && isRefused) || phase === 'files'
  );
}

/** The place of the route to try after a failure; -1 when the failure is the answer. */
function nextPlace(
  chain: readonly UpstreamRoute[],
  place: number,
  call: RouteCall,
  error: UpstreamError,
): number {
  if (call.attempt.started) return -1;
  if (error.kind === 'not_found') return place + 1 < chain.length ? place + 1 : -1;
  if (!PROVIDER_FAULTS.has(error.kind)) return -1;
  return chain.findIndex((route, index) => index > place && route.fallback);
}

/**
 * Tries the routes of a chain in turn: the next one when a model is retired, the next fallback when a provider failed or was
 * silent before the first piece of an answer. All of them together keep the time-outs of one call; a route that has a fallback
 * gets a part of the time only. What only an operator can mend is reported.
 */
export async function fallbackChain<T>(
  chain: readonly UpstreamRoute[],
  deadline: CallDeadline,
  deps: ChainDeps,
  call: Call<T>,
): Promise<T> {
  const policy = createRetryPolicy();
  const present = deps.retired.present(chain);
  for (let place = 0; ; ) {
    const route = present[place];
    if (!route) throw new UpstreamError('missing_model', 'the chain is empty');
    const hasFallback = present.some((other, index) => index > place && other.fallback);
    const routeCall = { route, attempt: { started: false }, hasFallback };
    deadline.startRoute(hasFallback ? REPLACEABLE_SHARE : 1);
    try {
      return await tryRoute(routeCall, deadline, deps, policy, call);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const next = nextPlace(present, place, routeCall, error);
      // A route may have no method that counts tokens, or a limit of its own for it.
      const isQuestion = deps.operation === 'chat';
      // What ends an answer that has begun says nothing of its model.
      const mayBeGone = isQuestion && !deps.hasFunctions && !routeCall.attempt.started;
      const isRetired = error.kind === 'not_found' && error.phase !== 'files' && mayBeGone;
      if (isRetired) deps.retired.mark(route);
      else if (isQuestion && next >= 0 && !isOfOneRequest(error)) deps.retired.markTroubled(route);
      if (error.kind !== 'not_found' || (isRetired && next < 0))
        alertOperator(error, route, deps.log, deps.onAlert);
      deadline.startRoute(1);
      if (next < 0 || deadline.leftForFirstToken() < MIN_LEFT_MS) throw error;
      place = next;
    }
  }
}
