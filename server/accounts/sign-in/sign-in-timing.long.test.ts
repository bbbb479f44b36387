import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, SAFE_HASHING, type TestApp } from '#test/app.ts';
import { startMailbox } from '#test/mailbox.ts';

const SAMPLES = 200;
/** Addresses that take turns, so that no limit of an account is reached. */
const ADDRESSES = 10;

let app: TestApp;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let known: string[];
const unknown = Array.from({ length: ADDRESSES }, () => `${crypto.randomUUID()}@example.test`);
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await createTestApp({ env: { ...mailbox.settings, ...SAFE_HASHING, TRUST_PROXY: '1' } });
  const accounts = unknown.map(() => app.visit({ headers: { 'x-forwarded-for': '198.51.100.1' } }).signUp());
  known = (await Promise.all(accounts)).map(({ email }) => email);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

let asked = 0;
/** Milliseconds until the answer, which is the same for everybody. */
async function time(path: string, body: object, status: number): Promise<number> {
  asked += 1;
  const client = app.visit({
    headers: { 'x-forwarded-for': `10.${asked >> 14}.${(asked >> 7) & 127}.${asked & 127}` },
  });
  const started = performance.now();
  const response = await client.post(path, body);
  await response.arrayBuffer();
  expect(response.status).toBe(status);
  return performance.now() - started;
}

function quartiles(samples: number[]) {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}

/** Asks about both kinds of addresses by turns, so that a busy machine is busy for both; do the middles lie in each other's half? */
async function areAlike(ask: (email: string) => Promise<number>): Promise<boolean> {
  const times: [known: number[], unknown: number[]] = [[], []];
  for (let n = 0; n < SAMPLES; n += 1) {
    for (const kind of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const email = [known, unknown][kind]?.[n % ADDRESSES] ?? '';
      times[kind].push(await ask(email));
    }
  }
  const [one, other] = [quartiles(times[0]), quartiles(times[1])];
  return [
    [one, other],
    [other, one],
  ].every(([a, b]) => a && b && a.middle >= b.low && a.middle <= b.high);
}

/** A burst of other work can fall on one kind only; what truly differs differs each time. */
async function areAlikeInOneOf(
  measurements: number,
  ask: (email: string) => Promise<number>,
): Promise<boolean> {
  for (let n = 0; n < measurements; n += 1) if (await areAlike(ask)) return true;
  return false;
}

it('a refused sign-in takes as long for an address that somebody has as for one that nobody has (GHSA-7rw5-9f7q-xj36)', async () => {
  const ask = async (email: string) => {
    await app.database.database.sql`delete from rate_limits where key like 'sign-in:%'`;
    return time('/api/auth/sign-in/email', { email, password: 'a wrong password' }, 401);
  };
  expect(await areAlikeInOneOf(3, ask)).toBe(true);
}, 240_000);

it('asking for a reset mail takes as long for either', async () => {
  const ask = async (email: string) => {
    await app.database.database.sql`delete from rate_limits where key like 'reset:%'`;
    return time('/api/auth/request-password-reset', { email }, 200);
  };
  expect(await areAlikeInOneOf(3, ask)).toBe(true);
});

it('a guess beyond the limit, and asking for a login link, take as long for either', async () => {
  const { sql } = app.database.database;
  const link = async (email: string) => {
    await sql`delete from rate_limits where key like 'sign-in-link:%'`;
    return time('/api/auth/request-sign-in-link', { email }, 200);
  };
  expect(await areAlikeInOneOf(3, link)).toBe(true);
  for (const email of [...known, ...unknown])
    await sql`
      insert into rate_limits (key, count, started_at) values (${`sign-in:${email}`}, 60, now())
      on conflict (key) do update set count = 60, started_at = now()`;
  const guess = (email: string) =>
    time('/api/auth/sign-in/email', { email, password: 'a wrong password' }, 429);
  expect(await areAlikeInOneOf(3, guess)).toBe(true);
});

it('the measurement tells a way that skips the password of unknown addresses from one that does not', async () => {
  const ask = async (email: string) => {
    await app.database.database.sql`delete from rate_limits where key like 'sign-in:%'`;
    const password = known.includes(email) ? 'a wrong password' : '';
    return time('/api/auth/sign-in/email', { email, password }, 401);
  };
  expect(await areAlike(ask)).toBe(false);
});
