import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { migrate } from '#server/db/migrate.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase, migrateTo } from '#test/database/old-database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { insertUser } from '#test/factories.ts';
import { IS_LONG, runs } from '#test/runs.ts';
import { insertRequest } from './store.ts';

const CAP = 60;
const OWNER = randomUUID();

let home: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  home = await createTestDatabase();
  sql = home.database.sql;
});
afterAll(async () => {
  await expectNoDrift(sql);
  await home.drop();
});

/** A user with more credits than a test spends, and as many keys. */
async function richUser(caps: (number | null)[]) {
  const { userId } = await insertUser(sql, { createdAt: new Date('2026-01-01') });
  await sql`
    select credit.grant_credits(${userId}, 'subscription', 'test:rich', ${`test:${userId}`}, null, 100000, '2026-01-01', '2036-01-01',
      'subscription', '2026-01-01')`;
  const keys = [];
  for (const cap of caps) keys.push(await insertKey(sql, userId, cap));
  return { userId, keys };
}

async function insertKey(on: Executor, userId: string, cap: number | null): Promise<string> {
  const id = randomUUID();
  await on`
    insert into api_keys (id, user_id, name, prefix, hash, monthly_cap, created_at)
    values (${id}, ${userId}, 'Script', 'sk', ${randomBytes(32)}, ${cap}, '2026-01-01')`;
  return id;
}

interface Sent {
  userId: string;
  keyId: string | null;
  cost: number;
  at: Date;
}

/** Sends a request; its id, or why it was refused. */
async function send(on: Executor, { userId, keyId, cost, at }: Sent) {
  const id = randomUUID();
  const request = {
    id,
    userId,
    keyId,
    cost,
    at,
    owner: OWNER,
    idempotencyKey: null,
    bodyHash: randomBytes(32),
  };
  const limits = { promptTokens: 1, maxRunning: 1_000, maxUnanswered: 1_000, maxUncharged: 1_000 };
  let result = '';
  const sent = await insertRequest(on, { ...request, model: 'parley-flash', ...limits });
  sent.map((outcome) => (result = outcome.result));
  return { id, result };
}

const WAYS = ['charged', 'partly', 'released', 'interrupted', 'by an older server'] as const;
type Way = (typeof WAYS)[number];

/** Ends a request as an answer ends; what stays spent of it. */
async function end(id: string, cost: number, way: Way, at: Date): Promise<number> {
  if (way === 'interrupted') {
    await sql`select from interrupt_messages(${[id]}::uuid[], ${at}, '{}'::jsonb)`;
    return 0;
  }
  if (way === 'by an older server') {
    await sql`
      select from end_message(${id}, ${OWNER}, 'completed', 'yes', null, null, null, null::jsonb, false, true, 'message', 2, 2, '[]'::jsonb,
        ${at}, null, false, null, false, false)`;
    return cost;
  }
  const isCharged = way !== 'released';
  const charge = way === 'partly' ? Math.ceil(cost / 2) : null;
  const lines = charge && JSON.stringify([{ kind: 'message', credits: charge }]);
  await sql`
    select from end_message(${id}, ${OWNER}, ${isCharged ? 'completed' : 'failed'}, 'yes', ${isCharged ? null : 'upstream_failed'}, null,
      null, null::jsonb, false, ${isCharged}, 'message', 2, 2, '[]'::jsonb, ${at}, null, false, null, false, false, ${charge}::int,
      ${lines}::text::jsonb, null::jsonb, null, null::jsonb)`;
  return isCharged ? (charge ?? cost) : 0;
}

const counted = async (on: Executor, userId: string) =>
  [
    ...(await on<{ key: string; month: string; credits: number }[]>`
      select key_id as key, month::text, credits from api_key_months where user_id = ${userId} order by 1, 2`),
  ].filter(({ credits }) => credits !== 0);

const summed = async (on: Executor, userId: string) =>
  [
    ...(await on<{ key: string; month: string; credits: number }[]>`
      select r.key_id as key, date_trunc('month', r.created_at at time zone 'UTC')::date::text as month,
             sum(case m.status when 'running' then m.cost else m.credits_used end)::int as credits
        from api_requests r join messages m on m.id = r.message_id
       where r.user_id = ${userId} and r.key_id is not null group by 1, 2 order by 1, 2`),
  ].filter(({ credits }) => credits !== 0);

const step = fc.oneof(
  fc.record({
    kind: fc.constant('send'),
    key: fc.constantFrom(0, 1, null),
    cost: fc.integer({ min: 1, max: 25 }),
  }),
  fc.record({ kind: fc.constant('end'), which: fc.nat(20), way: fc.constantFrom(...WAYS) }),
  fc.record({ kind: fc.constant('wait'), hours: fc.integer({ min: 1, max: 700 }) }),
  fc.record({ kind: fc.constant('upgrade') }),
) as fc.Arbitrary<
  | { kind: 'send'; key: 0 | 1 | null; cost: number }
  | { kind: 'end'; which: number; way: Way }
  | { kind: 'wait'; hours: number }
  | { kind: 'upgrade' }
>;

test.runIf(IS_LONG)(
  'what a key spent in a month is what its requests hold and spent, and its cap is kept, however they end',
  async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { userId, keys } = await richUser([CAP, null]);
      const running: { id: string; cost: number; place: string }[] = [];
      const spent = new Map<string, number>();
      let at = new Date('2026-03-30T12:00:00Z');
      for (const one of steps) {
        // Whatever was sent before the counter was there is not in it.
        if (one.kind === 'upgrade') await sql`delete from api_key_months where user_id = ${userId}`;
        else if (one.kind === 'wait') at = new Date(at.getTime() + one.hours * HOUR_MS);
        else if (one.kind === 'send') {
          const keyId = one.key === null ? null : (keys[one.key] ?? null);
          const place = `${keyId} ${at.toISOString().slice(0, 7)}`;
          const before = spent.get(place) ?? 0;
          const { id, result } = await send(sql, { userId, keyId, cost: one.cost, at });
          expect(result).toBe(one.key === 0 && before + one.cost > CAP ? 'cap_reached' : 'sent');
          if (result === 'sent') {
            running.push({ id, cost: one.cost, place });
            spent.set(place, before + one.cost);
          }
        } else {
          const [ended] = running.splice(one.which % Math.max(running.length, 1), 1);
          if (!ended) continue;
          const used = await end(ended.id, ended.cost, one.way, at);
          spent.set(ended.place, (spent.get(ended.place) ?? 0) - ended.cost + used);
        }
      }
      expect(await summed(sql, userId)).toEqual(expect.arrayContaining(await counted(sql, userId)));
    });
    await fc.assert(property, { numRuns: runs(40) });
  },
);

test.runIf(IS_LONG)(
  'a send by a key with a cap reads as little after thousands of requests as after none',
  async () => {
    const { userId, keys } = await richUser([1_000_000, 1_000_000]);
    const [busy = '', fresh = ''] = keys;
    const at = new Date();
    await sql`
    with sent as (
      insert into messages (id, user_id, model, content, response, status, cost, credits_used, owner, end_seq, created_at, ended_at)
      select gen_random_uuid(), ${userId}, 'parley-flash', '', 'yes', 'completed', 1, 1, ${OWNER}, 2, ${at}, ${at}
        from generate_series(1, 3000) returning id)
    insert into api_requests (message_id, user_id, key_id, body_hash, prompt_tokens, created_at)
    select id, ${userId}, ${busy}, sha256(id::text::bytea), 1, ${at} from sent`;
    await sql`analyze messages, api_requests, api_key_months`;
    const readBy = (keyId: string) =>
      countRowsRead(home.database, (tx) => send(tx, { userId, keyId, cost: 1, at }));
    const [few, many] = [await readBy(fresh), await readBy(busy)];
    expect(many).toBeLessThan(few + 10);
    const [row] = await sql`select credits from api_key_months where key_id = ${busy}`;
    expect(row?.credits).toBe(3_000);
  },
);

test.runIf(IS_LONG)(
  'of a database of before the counter what a key spent is summed with its first request that follows, and goes on',
  async () => {
    const old = await createEmptyDatabase();
    const on = old.database.sql;
    await migrateTo(on, '0054');
    const [user] = await on<{ id: string }[]>`
    insert into users (id, email, display_name, created_at, last_login_at)
    values (gen_random_uuid(), 'me@example.test', 'Me', '2026-01-01', now()) returning id`;
    const userId = user?.id ?? '';
    const keyId = await insertKey(on, userId, 100);
    const now = new Date();
    const ran = randomUUID();
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    for (const [at, status, cost, used] of [
      [now, 'running', 7, 0],
      [now, 'completed', 9, 5],
      [now, 'failed', 9, 0],
      [lastMonth, 'completed', 3, 3],
    ] as const) {
      const id = status === 'running' ? ran : randomUUID();
      const endedAt = status === 'running' ? null : at;
      await on`
      insert into messages (id, user_id, model, content, response, status, cost, credits_used, owner, end_seq, error_code, created_at, ended_at)
      values (${id}, ${userId}, 'parley-flash', '', 'yes', ${status}, ${cost}, ${used}, ${OWNER}, ${endedAt && 2},
              ${status === 'failed' ? 'upstream_failed' : null}, ${at}, ${endedAt})`;
      await on`
      insert into api_requests (message_id, user_id, key_id, body_hash, prompt_tokens, created_at)
      values (${id}, ${userId}, ${keyId}, ${randomBytes(32)}, 1, ${at})`;
    }
    await migrate(old.url);
    expect(await counted(on, userId)).toEqual([]);
    await on`select credit.grant_credits(${userId}, 'adjustment', 'test:rich', null, null, 100000, now(), '2096-01-01', 'goodwill', now())`;
    const sent = (cost: number) => send(on, { userId, keyId, cost, at: now });
    expect((await sent(100 - 12 + 1)).result).toBe('cap_reached');
    expect((await sent(8)).result).toBe('sent');
    expect((await counted(on, userId)).map(({ credits }) => credits)).toEqual([20]);
    await on`
    update messages set status = 'failed', error_code = 'upstream_failed', end_seq = 2, ended_at = now() where id = ${ran}`;
    expect((await counted(on, userId)).map(({ credits }) => credits)).toEqual([13]);
    expect((await sent(100 - 13 + 1)).result).toBe('cap_reached');
    expect((await sent(100 - 13)).result).toBe('sent');
    await old.drop();
  },
);
