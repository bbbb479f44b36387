import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LedgerEntry, ledgerPageSchema } from '#contract/credits.ts';
import { expectNoDrift, later, openLedger } from '#test/credits/ledger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { exportEntries } from './export-entries.ts';

const NOON = new Date('2026-09-10T12:00:00Z');
const NO_MESSAGES = { listMessages: async () => new Map() };

describe.each(POSTGRES_VERSIONS)('the ledger as its user sees it on PostgreSQL %i', (version) => {
  let test: TestDatabase;
  let sql: Sql;

  beforeAll(async () => {
    test = await createTestDatabase({ version });
    sql = test.database.sql;
  });
  afterAll(async () => {
    await expectNoDrift(sql);
    await test.drop();
  });

  it('lists the newest line first, each with what stands behind it', async () => {
    const ledger = await openLedger(test.database, NOON);
    const [message, order] = [randomUUID(), randomUUID()];
    ledger.now = later(NOON, 1);
    await ledger.take(8, message);
    ledger.now = later(NOON, 2);
    const plan = { kind: 'subscription', reason: 'subscription', sourceKey: 'sub', orderId: order } as const;
    await ledger.grant({ ...plan, amount: 500, expiresAt: later(NOON, 32) });
    const page = await ledger.page();
    expect(ledgerPageSchema.parse(page)).toEqual(page);
    expect(page).toEqual({
      balance: 532,
      nextCursor: null,
      entries: [
        {
          id: expect.stringMatching(/^\d+$/),
          time: later(NOON, 2).getTime(),
          kind: 'grant',
          amount: 500,
          balanceAfter: 532,
          reason: 'subscription',
          messageId: null,
          orderId: order,
        },
        {
          id: expect.stringMatching(/^\d+$/),
          time: later(NOON, 1).getTime(),
          kind: 'charge',
          amount: -8,
          balanceAfter: 32,
          reason: 'message',
          messageId: message,
          model: 'parley-flash',
          orderId: null,
          pending: true,
        },
        expect.objectContaining({ kind: 'grant', amount: 40, balanceAfter: 40, reason: 'free_month' }),
      ],
    });
  });

  it('names the order when its credits expire or are taken back', async () => {
    const ledger = await openLedger(test.database, NOON);
    const orderId = randomUUID();
    await ledger.grant({ sourceKey: 'plan', amount: 100, expiresAt: later(NOON, 1), orderId });
    await ledger.revoke({ sourceKey: 'plan' }, 30);
    ledger.now = later(NOON, 3);
    const { entries } = await ledger.page(null, 2);
    expect(entries).toMatchObject([
      { kind: 'expire', amount: -70, orderId, time: later(NOON, 1).getTime() },
      { kind: 'revoke', amount: -30, orderId },
    ]);
  });

  it('pages without gap or repeat, also while lines are added, and its amounts add up', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'plan', amount: 1000, expiresAt: later(NOON, 20) });
    for (let n = 0; n < 23; n += 1) {
      const id = randomUUID();
      await ledger.take(7, id);
      await (n % 3 === 0 ? ledger.release(id) : ledger.settle(id));
    }
    const all = (await ledger.page(null, 100)).entries;
    const paged: LedgerEntry[] = [];
    let cursor: string | null = null;
    do {
      const page = await ledger.page(cursor, 4);
      expect(page.entries.length).toBeLessThanOrEqual(4);
      paged.push(...page.entries);
      cursor = page.nextCursor;
      await ledger.take(1);
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect(all).toHaveLength(2 + 23 + 8);
    let balance = 0;
    for (const entry of all.toReversed()) {
      balance += entry.amount;
      expect(entry.balanceAfter).toBe(balance);
    }
    expect(all.at(0)?.balanceAfter).toBe(1040 - 15 * 7);
  });

  it('ends with a page that is exactly full', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.take(1);
    expect((await ledger.page(null, 2)).nextCursor).toBeNull();
    expect((await ledger.page(null, 1)).nextCursor).not.toBeNull();
  });

  it('shows nobody the lines of another user, whatever the cursor', async () => {
    const [one, two] = [await openLedger(test.database, NOON), await openLedger(test.database, NOON)];
    await two.take(8);
    const { entries } = await one.page('999999999999999999');
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ kind: 'grant' });
  });

  it('exports more lines than one piece holds, each once', async () => {
    const ledger = await openLedger(test.database, NOON);
    await ledger.grant({ sourceKey: 'plan', amount: 1000, expiresAt: later(NOON, 20) });
    await sql`
      select credit.take_hold(${ledger.userId}, gen_random_uuid(), 1, 'parley-flash', ${NOON})
        from generate_series(1, 600)`;
    const pieces: string[] = [];
    for await (const piece of exportEntries(ledger.deps(), NO_MESSAGES, ledger.userId, 'en'))
      pieces.push(piece);
    const lines = pieces.join('').split('\r\n').slice(1, -1);
    expect(pieces).toHaveLength(2);
    expect(lines.map((line) => Number(line.split(',')[3]))).toEqual([
      ...Array.from({ length: 600 }, (_, n) => 440 + n),
      1040,
      40,
    ]);
  });
});
