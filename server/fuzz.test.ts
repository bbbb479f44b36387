import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckoutAnswer } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { apiErrorSchema } from '#contract/openai.ts';
import { MODELS } from '#server/catalogue/models.ts';
import { newId } from '#server/platform/ids.ts';
import { startGoogle } from '#test/accounts/google.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { makeKey } from '#test/api.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { signWebhook } from '#test/billing/signed-webhook.ts';
import { ask } from '#test/chat/chat.ts';
import { beginUpload, idOf, insertFile } from '#test/files/files.ts';
import { startMailbox } from '#test/mailbox.ts';
import { PATIENT, WAIT_TIMEOUT_MS } from '#test/patient.ts';
import type { Words } from '#test/routes/input-arbitraries.ts';
import type { RouteInput } from '#test/routes/route-input.ts';
import { ROUTE_INPUTS } from '#test/routes/route-inputs.ts';
import { type DrawnRequest, requestsTo } from '#test/routes/route-requests.ts';
import { everyRoute, type ServedRoute } from '#test/routes/routes.ts';
import { runs, SEED } from '#test/runs.ts';
import { type RawAnswer, rawSender } from '#test/send-raw.ts';

/** Requests to each route. */
const RUNS = runs(1, 500);
/** Requests after which limits and models are as at first and the owner is signed in again, so that none hides what is behind it. */
const TURN = 12;

/** One white dot, as PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);
const addresses = (count: number) => Array.from({ length: count }, () => `${newId()}@example.test`);
/** Paths that no route takes. */
const ELSEWHERE = [
  '/:language/:page',
  '/api/:nothing',
  '/v1/:nothing',
  '/webhooks/:nothing',
  '/assets/:file',
];

/** Places in lists, as far away as their digits allow. */
const CURSORS = [
  '9'.repeat(13),
  ...['', 'p', 'm', 't'].flatMap((part) => [15, 18].map((digits) => part + '9'.repeat(digits))),
].map((place) => `${place}_${newId()}`);

/** Methods that change nothing. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Routes that compute long, and how many times fewer requests they get. */
const SLOW: Record<string, number> = {
  'POST /api/me/second-factor/recovery-codes': 8,
  'POST /v1/chat/completions': 2,
};

let shop: Shop;
let google: Awaited<ReturnType<typeof startGoogle>>;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
/** Webhooks as they really come, by provider. */
let told: Record<Provider, unknown[]>;
let sender: ReturnType<typeof rawSender>;
/** What was thrown and is no answer, in requests and in the work that follows them. */
const faults: string[] = [];
beforeAll(async () => {
  const write = (line: string) => void ('err' in JSON.parse(line) && faults.push(line));
  const log = pino({ level: 'error' }, { write });
  google = await startGoogle();
  mailbox = await startMailbox();
  shop = await openShop({ log, webhooks: true, env: { ...google.settings, ...mailbox.settings } });
  sender = rawSender(shop.app.url);
  told = { creem: await webhooksOf('creem'), bagelpay: await webhooksOf('bagelpay') };
}, 10 * WAIT_TIMEOUT_MS);
afterAll(async () => {
  sender.close();
  await shop.close();
  await google.close();
  await mailbox.close();
});

/** What a provider reports of one purchase. */
async function webhooksOf(provider: Provider): Promise<unknown[]> {
  const customer = await shop.buyer();
  await customer.buy(provider);
  const rows = await vi.waitFor(
    async () => {
      const kept = await shop.sql<
        { raw: Buffer }[]
      >`select raw from billing.inbox where provider = ${provider}`;
      if (kept.length === 0) throw new Error('no webhook came yet');
      return kept;
    },
    { ...PATIENT, timeout: 4 * WAIT_TIMEOUT_MS },
  );
  return rows.map(({ raw }) => JSON.parse(raw.toString()));
}

const nameOf = ({ method, pattern }: ServedRoute) => `${method} ${pattern}`;
const inputOf = (route: ServedRoute): RouteInput => ROUTE_INPUTS[nameOf(route)] ?? { body: null };

/** No limit is reached, and no model paused, which operators of earlier requests may have done. */
async function openAll() {
  await shop.sql`delete from rate_limits`;
  await shop.sql`delete from paused_models`;
}

/** An operator who owns one of each, with the ids of all of them. No model may be paused. */
async function makeOwner() {
  const owner = await shop.buyer();
  const message = await ask(owner.client);
  const { orderId } = (await (await owner.begin('creem')).json()) as CheckoutAnswer;
  const { id: keyId, key } = await makeKey(owner.client);
  const fileId = await insertFile(shop.sql, owner.userId, { conversationId: message.conversationId });
  const uploadId = await idOf(await beginUpload(owner.client, 1_000));
  const cookie = owner.client.cookie;
  await makeOperator(shop.sql, owner.userId);
  return { ...owner, cookie, message, orderId, keyId, key, fileId, uploadId };
}

type Owner = Awaited<ReturnType<typeof makeOwner>>;

function wordsOf({ message, orderId, keyId, email, userId, fileId, uploadId }: Owner): Words {
  return {
    id: [newId(), message.id],
    conversationId: [newId(), message.conversationId],
    parentId: [null, message.id],
    before: [message.id],
    after: [message.id],
    branch: ['newest', message.id],
    orderId: [orderId],
    userId: [userId],
    email: [
      email,
      ...addresses(40),
      'somebody@example.test',
      'a+b@gmail.com',
      `${'x'.repeat(64)}@例え.example`,
    ],
    userEmail: [email],
    password: ['correct horse', '123456', 'x'.repeat(128)],
    newPassword: ['another horse', '1'],
    model: [...MODELS.map((model) => model.id), ...Array<string>(MODELS.length).fill('parley-flash')],
    content: ['hello', '你好'],
    type: ['text'],
    role: ['user', 'user', 'system'],
    limit: ['1', '20', '100', '0', '101', '-1'],
    from: ['2026-11-01', '0000-01-01', '9999-12-31'],
    to: ['2026-11-30', '0001-01-01', '9999-12-31'],
    code: ['000000', '123456'],
    allowedAddresses: ['127.0.0.0/8', '::/0', '0.0.0.0/33'],
    cursor: CURSORS,
    '/api/me/picture body': [PICTURE],
    '/webhooks/creem body': told.creem,
    '/webhooks/bagelpay body': told.bagelpay,
    '/:language/:page': ['zh', 'en', 'chat', 'login', 'index.html'],
    '/api/messages/:id': [message.id],
    '/api/messages/:id/events': [message.id],
    '/api/messages/:id/stop': [message.id],
    '/api/conversations/:id': [message.conversationId],
    '/api/conversations/:id/export': [message.conversationId],
    '/api/conversations/:id/restore': [message.conversationId],
    '/api/conversations/:id/files': [message.conversationId],
    '/api/files/:id': [fileId, uploadId],
    '/api/files/:id/content': [fileId, uploadId],
    '/api/files/:id/thumbnail': [fileId],
    '/api/files/:id/text': [fileId],
    '/api/files/:id/every-turn': [fileId],
    '/api/orders/:id': [orderId],
    '/api/admin/users/:id': [userId],
    '/api/admin/orders/:id/comparison': [orderId],
    find: [email, orderId, userId],
    credits: [1, 100],
    inboxId: ['1'],
    '/api/keys/:id': [keyId],
    '/v1/models/:id': MODELS.map((model) => model.id),
  };
}

interface Told {
  error?: { code: string; params?: { field?: string } };
}

/** Every route, and what is none, with how often it is tried. */
function targets(): (ServedRoute & { runs: number })[] {
  const served = everyRoute(shop.app.app).map((route) => ({
    ...route,
    runs: Math.ceil(RUNS / (SLOW[nameOf(route)] ?? 1)),
  }));
  const elsewhere = ELSEWHERE.map((pattern) => ({
    method: 'GET',
    pattern,
    contentType: 'application/json',
    path: () => pattern,
    runs: RUNS,
  }));
  return [...served, ...elsewhere];
}

/** What proves who sends a request of that kind. */
function proofOf(
  route: ServedRoute,
  { sender: who, body }: DrawnRequest,
  owner: Owner,
): Record<string, string> {
  const provider = /^\/webhooks\/(creem|bagelpay)$/.exec(route.pattern)?.[1] as Provider | undefined;
  if (who === 'visitor') return {};
  if (provider) return signWebhook(provider, body ?? '', who === 'nonsense' ? 'another' : undefined);
  if (who === 'nonsense') return { cookie: 'parley.session_token=a.b', authorization: 'Bearer sk-nonsense' };
  return route.pattern.startsWith('/v1')
    ? { authorization: `Bearer ${owner.key}` }
    : { cookie: owner.cookie };
}

/** What has no host is refused by the HTTP server itself (RFC 9112, 3.2), before any of our code. */
const isNoHost = (host: string | undefined) => host !== undefined && !URL.canParse(`http://${host}`);

/** What is wrong with an answer, whatever was asked; null when nothing is. */
function faultOf({ method, path }: DrawnRequest, { status, contentType, text }: RawAnswer): string | null {
  if (status < 400 || method === 'HEAD') return status < 500 ? null : `answers ${status}`;
  if (!contentType.startsWith('application/json')) return `answers ${status} as ${contentType || 'nothing'}`;
  const body: unknown = JSON.parse(text ?? '');
  // `/v1/..` is the path `/`.
  const isApi = new URL(`${shop.app.url}${path}`).pathname.startsWith('/v1');
  return isApi ? faultOfApi(status, body) : faultOfOwn(status, body);
}

function faultOfOwn(status: number, body: unknown): string | null {
  const { error } = body as { error?: { code?: string; message?: string; params?: unknown } };
  const { code = '', message = '', params } = error ?? {};
  if (!Object.hasOwn(ERROR_STATUS, code))
    return `answers ${status} with an unknown code: ${JSON.stringify(body)}`;
  if (ERROR_STATUS[code as ErrorCode] !== status) return `answers ${status} for ${code}`;
  if (message === '' || message.includes('errors.') || typeof params !== 'object')
    return `tells badly: ${JSON.stringify(body)}`;
  return status < 500 || code === 'not_configured' ? null : `answers ${status} ${code}`;
}

function faultOfApi(status: number, body: unknown): string | null {
  const parsed = apiErrorSchema.strict().safeParse(body);
  if (!parsed.success || !parsed.data.error.code) return `is not in OpenAI's shape: ${JSON.stringify(body)}`;
  return status < 500 || parsed.data.error.code === 'not_configured' ? null : `answers ${status}`;
}

describe('every route', () => {
  it('is listed with what it reads, where it changes something or reads a query', async () => {
    const { client } = await shop.buyer();
    const unlisted: string[] = [];
    for (const route of everyRoute(shop.app.app)) {
      const { body, query } = inputOf(route);
      const isChange = route.method !== 'GET';
      const isListed = Object.hasOwn(ROUTE_INPUTS, nameOf(route));
      if (isChange && !isListed) unlisted.push(`${nameOf(route)} is not listed`);
      const sent = isChange ? { headers: { 'content-type': 'application/json' }, body: '{' } : {};
      const response = await client.request(`${route.path()}?zzz=1`, { method: route.method, ...sent });
      const { error } = (response.status < 400 ? {} : await response.json()) as Told;
      if (error?.code === 'invalid_json' && body === null) unlisted.push(`${nameOf(route)} reads a body`);
      if (error?.params?.field === 'zzz' && !query) unlisted.push(`${nameOf(route)} reads a query`);
      await response.body?.cancel().catch(() => {});
    }
    const names = everyRoute(shop.app.app).map(nameOf);
    const gone = Object.keys(ROUTE_INPUTS).filter((name) => !names.includes(name));
    expect([unlisted, gone]).toEqual([[], []]);
  });

  it('answers whatever it is sent, never with a fault, and always in the shape of its API', async () => {
    process.stdout.write(`PROPERTY_SEED=${SEED}, ${RUNS} requests to each route\n`);
    const problems: string[] = [];
    /** The owner of the route before, whom nothing that was sent has changed. */
    let unchanged: Owner | null = null;
    for (const route of targets()) {
      await openAll();
      const owner: Owner = unchanged ?? (await makeOwner());
      unchanged = owner;
      let turn = 0;
      const property = fc.asyncProperty(requestsTo(route, inputOf(route), wordsOf(owner)), async (drawn) => {
        turn += 1;
        if (turn % TURN === 0) {
          await openAll();
          // Who is being deleted gets no session any more.
          owner.cookie = await shop.app.cookieOf(owner.userId).catch(() => owner.cookie);
        }
        const origin: Record<string, string> = { origin: shop.app.url };
        const headers = { ...origin, ...proofOf(route, drawn, owner), ...drawn.headers };
        const answer = await sender.send({ ...drawn, headers });
        if (answer.status < 400 && !READING.includes(drawn.method)) unchanged = null;
        if (answer.status === 400 && isNoHost(drawn.headers.host)) return;
        const fault = faultOf(drawn, answer);
        if (fault) throw new Error(`${drawn.method} ${drawn.path.slice(0, 200)} ${fault}`);
      });
      const result = await fc.check(property, { numRuns: route.runs });
      if (result.failed)
        problems.push(
          `${nameOf(route)}: ${result.errorInstance} for ${fc.stringify(result.counterexample)}`.slice(
            0,
            700,
          ),
        );
      if ((await shop.app.visit().get('/healthz')).status !== 200)
        problems.push(`${nameOf(route)} ended the server`);
    }
    expect([problems, faults]).toEqual([[], []]);
  }, 3_600_000);

  it.each<[string, string, unknown?]>([
    ['GET', `/api/orders?cursor=${'9'.repeat(15)}_${newId()}`],
    ['GET', '/api/pictures/%00'],
    ['GET', '/api/keys/usage?from=0000-01-01&to=0000-01-02'],
    ['GET', '/api/keys/usage.csv?to=0001-01-01'],
    ['POST', '/api/keys', { name: 'x', expiresAt: 8_640_000_000_000_000 }],
    ['PATCH', '/api/me', { x: '__proto__', a: Array(300_000).fill(0) }],
  ])('refuses what once was a fault: %s %s', async (method, path, body) => {
    const { client } = await shop.buyer();
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const { status } = await client.request(path, { method, ...sent });
    expect([404, 413, 422]).toContain(status);
  });
});
