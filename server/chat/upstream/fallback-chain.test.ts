import { expect, test } from 'vitest';
import { resolveChains, type UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { createLog } from '#server/platform/log.ts';
import { NO_TRACING } from '#server/platform/telemetry/tracing.ts';
import { type ChainDeps, fallbackChain } from './fallback-chain.ts';
import { createRetiredModels } from './retired-models.ts';
import { CallDeadline } from './transport/call-deadline.ts';
import { type ErrorPhase, UpstreamError, type UpstreamErrorKind } from './transport/upstream-error.ts';

const TIMEOUTS = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 5_000 };

/** Two providers of one model. */
function twoProviders(): [UpstreamRoute, UpstreamRoute] {
  const chains = resolveChains({
    geminiBaseUrl: 'http://localhost',
    geminiApiKey: 'k',
    modelsFile: null,
    readVariable: () => undefined,
  });
  const [route] = chains['gemini-2.5-pro'] ?? [];
  if (!route) throw new Error('no route');
  return [route, { ...route, fallback: true }];
}

/** Whom two questions one after the other are asked of, where the first one fails at the first provider. */
async function askTwice(
  kind: UpstreamErrorKind,
  status: number | null,
  phase: ErrorPhase | null = null,
  more: Pick<ChainDeps, 'operation' | 'hasFunctions'> = { operation: 'chat' },
) {
  const chain = twoProviders();
  const deps = {
    log: createLog('silent'),
    tracing: NO_TRACING,
    retired: createRetiredModels(),
  };
  const ask = async (isHarmful: boolean) => {
    const asked: string[] = [];
    const deadline = new CallDeadline(TIMEOUTS, new AbortController().signal);
    const harmful = isHarmful ? more : {};
    await fallbackChain(chain, deadline, { ...deps, operation: 'chat', ...harmful }, async (route) => {
      asked.push(route === chain[0] ? 'first' : 'fallback');
      if (isHarmful && route === chain[0]) throw new UpstreamError(kind, 'refused', { status, phase });
    }).finally(() => deadline.release());
    return asked;
  };
  return [await ask(true), await ask(false)];
}

test.each([
  ['fetch', 400],
  ['fetch', 422],
  ['model_error', null],
] as const)(
  'a question that fails with %s %s goes to the fallback, and the next one does not',
  async (kind, status) => {
    expect(await askTwice(kind, status)).toEqual([['first', 'fallback'], ['first']]);
  },
);

test.each([
  ['rate', 429],
  ['not_found', 404],
] as const)(
  'a count of tokens that fails with %s %s goes to the fallback, and no question does',
  async (kind, status) => {
    expect(await askTwice(kind, status, null, { operation: 'count_tokens' })).toEqual([
      ['first', 'fallback'],
      ['first'],
    ]);
  },
);

test('a question whose files take too long goes to the fallback, and the next one does not', async () => {
  expect(await askTwice('timeout', null, 'files')).toEqual([['first', 'fallback'], ['first']]);
});

test.each([
  ['auth', 403],
  ['timeout', null],
  ['fetch', null],
] as const)(
  'after a question that failed with %s %s the next one is asked of the fallback',
  async (kind, status) => {
    expect(await askTwice(kind, status)).toEqual([['first', 'fallback'], ['fallback']]);
  },
);

/** Lets each try fail, once it has begun or before: how many were made, the alerts, and how many routes may be asked next. */
async function failAlways(
  kind: UpstreamErrorKind,
  status: number,
  {
    isBegun,
    operation = 'chat',
    phase = null,
    ...more
  }: {
    isBegun: boolean;
    operation?: ChainDeps['operation'];
    phase?: ErrorPhase | null;
    hasFunctions?: boolean;
  },
) {
  const chain = twoProviders();
  const alerts: string[] = [];
  const deps: ChainDeps = {
    log: createLog('silent'),
    tracing: NO_TRACING,
    operation,
    ...more,
    retired: createRetiredModels(),
    onAlert: ({ alert }) => void alerts.push(alert),
  };
  const deadline = new CallDeadline(TIMEOUTS, new AbortController().signal);
  let asked = 0;
  const answer = fallbackChain(chain, deadline, deps, async (_route, attempt) => {
    asked += 1;
    attempt.started = isBegun;
    throw new UpstreamError(kind, 'refused', { status, phase });
  }).finally(() => deadline.release());
  await expect(answer).rejects.toMatchObject({ kind });
  return [asked, alerts, deps.retired.present(chain).length];
}

test('an answer that has begun is not begun again at another provider, whatever ends it', async () => {
  expect(await failAlways('overloaded', 503, { isBegun: true })).toEqual([1, [], 2]);
});

test('a 404 in an answer that has begun does not say that its model is gone, a refused key alerts all the same', async () => {
  expect(await failAlways('not_found', 404, { isBegun: true })).toEqual([1, [], 2]);
  expect(await failAlways('auth', 401, { isBegun: true })).toEqual([1, ['upstream_auth'], 2]);
});

test('a 404 for a question says that its model is gone, one for a count of tokens does not', async () => {
  const isBegun = false;
  expect(await failAlways('not_found', 404, { isBegun })).toEqual([2, ['upstream_gone'], 2]);
  expect(await failAlways('not_found', 404, { isBegun, operation: 'count_tokens' })).toEqual([2, [], 2]);
});

test('a 404 for the files or the functions of one question goes to the fallback, and says nothing of its model', async () => {
  const isBegun = false;
  expect(await failAlways('not_found', 404, { isBegun, hasFunctions: true })).toEqual([2, [], 2]);
  expect(await failAlways('not_found', 404, { isBegun, phase: 'files' })).toEqual([2, [], 2]);
  for (const hasFunctions of [true, false]) {
    const asked = await askTwice('not_found', 404, hasFunctions ? null : 'files', {
      operation: 'chat',
      hasFunctions,
    });
    expect(asked).toEqual([['first', 'fallback'], ['first']]);
  }
});
