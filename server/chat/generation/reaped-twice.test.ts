import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createTestApp } from '#test/app.ts';
import { creditsOf, send, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS, runs } from '#test/runs.ts';
import { interruptRunning, updateEnded } from './run-store.ts';

const MODEL = 'gemini-2.5-flash-lite';
const COST = 8;

/** The end of an answer as its process writes it. */
function endOfRun(id: string, owner: string) {
  const ending = { status: 'completed', errorCode: null, charged: true, reason: 'message' } as const;
  const nothing = { charge: null, output: null, providerCost: null, metadata: null, firstTextMs: null };
  return {
    ...{ id, owner, ending, ...nothing, response: 'The whole answer.', at: null },
    ...{ free: { isUnanswered: false, isUncharged: false }, contextTrimmed: false, upstreamSwitched: false },
    ...{ endSeq: 1, events: null, firstSeq: 1 },
  };
}

test.each(POSTGRES_VERSIONS)(
  'of two reapers and a late end exactly one closes each message and its hold, on PostgreSQL %d',
  async (version) => {
    const home = await createTestDatabase({ version, poolSize: 24 });
    const { sql } = home.database;
    const owner = randomUUID();
    const won = { reaped: 0, ended: 0 };
    for (let round = runs(12); round > 0; round -= 1) {
      const { userId, balance } = await openLedger(home.database);
      const rows = await sql<{ id: string }[]>`
        with holds as (
          select id, credit.take_hold(${userId}, id, ${COST}, ${MODEL}, null)
            from (select gen_random_uuid() as id from generate_series(1, 5)) as new_ids)
        insert into messages (id, user_id, model, content, cost, owner, created_at)
        select id, ${userId}, ${MODEL}, '', ${COST}, ${owner}, now() from holds returning id`;
      const ids = rows.map(({ id }) => id);
      const reap = async () => (await interruptRunning(sql, ids, new Map(), null)).map(({ id }) => id);
      const end = async (id: string) => {
        const ended = await home.database.flush(await updateEnded(sql, endOfRun(id, owner)));
        return ended ? [id] : [];
      };
      const endAll = () => Promise.all(ids.map(end));
      const early = round % 2 === 0 ? endAll() : null;
      const [first, second, ends] = await Promise.all([reap(), reap(), early ?? endAll()]);
      const ended = ends.flat();
      const reaped = [...first, ...second];
      // What both reapers passed over was being ended.
      expect([...reaped, ...ended].sort()).toEqual([...ids].sort());
      const states = await sql<{ id: string; status: string; used: number; state: string }[]>`
        select m.id, m.status, m.credits_used as used, h.state
          from messages m join credit.hold h on h.user_id = m.user_id and h.id = m.id where m.user_id = ${userId}`;
      for (const { id, ...state } of states)
        expect(state).toEqual(
          ended.includes(id)
            ? { status: 'completed', used: COST, state: 'settled' }
            : { status: 'interrupted', used: 0, state: 'released' },
        );
      expect(await balance()).toBe(40 - COST * ended.length);
      won.reaped += reaped.length;
      won.ended += ended.length;
    }
    expect([won.reaped > 0, won.ended > 0]).toEqual([true, true]);
    await expectNoDrift(sql);
    await home.drop();
  },
);

test('an end that comes after its message was reaped is free, and the operator is alerted', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const app = await createTestApp({ log });
  const { sql } = app.database.database;
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate slow-first-token ms=1500' });
  await sql.begin(async (tx) => {
    await tx`select from messages where id = ${id} for no key update`;
    await expect.poll(() => app.deps.generation.find(id)?.isClosing).toBe(true);
    expect(await interruptRunning(tx, [id], new Map(), null)).toHaveLength(1);
  });
  expect(await waitForEnd(user, id)).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
  await expect.poll(() => lines.join('')).toContain('operator alert: an answer came after its message');
  expect(await creditsOf(user)).toBe(40);
  await expectNoDrift(sql);
  await app.close();
});

test('an answer that cannot be released holds up nobody else’s', async () => {
  const app = await createTestApp();
  const { sql } = app.database.database;
  const content = '/emulate never-ends';
  const broken = await send(await app.signedIn(), { content });
  const other = await app.signedIn();
  const whole = await send(other, { content });
  await sql.unsafe(`
    create function refuse_end() returns trigger language plpgsql as $$ begin raise exception 'no end'; end $$;
    create trigger refuse_end before update on messages for each row
      when (new.status = 'interrupted' and new.id = '${broken.id}') execute function refuse_end()`);
  await app.deps.generation.drain(0);
  const rows = await sql<{ id: string; status: string }[]>`select id, status from messages`;
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [broken.id, 'running'],
      [whole.id, 'interrupted'],
    ]),
  );
  expect(await creditsOf(other)).toBe(40);
  await app.close();
});
