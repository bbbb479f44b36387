import { expect, test } from 'vitest';
import { createTestApp } from '#test/app.ts';
import { creditsOf, draft, waitForEnd } from '#test/chat.ts';
import { expectNoDrift } from '#test/ledger.ts';

test.each([15, 18] as const)(
  'of 500 parallel sends on 40 credits at cost 8, on PostgreSQL %d, exactly 5 are held',
  async (version) => {
    const app = await createTestApp({ version });
    const user = await app.signedIn();
    const drafts = Array.from({ length: 500 }, () => draft());
    const responses = await Promise.all(drafts.map((one) => user.post('/api/messages', one)));
    const counts = new Map<number, number>();
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 201: 5, 402: 495 });
    const sent = drafts.filter((_, index) => responses[index]?.status === 201);
    const ended = await Promise.all(sent.map(({ id }) => waitForEnd(user, id)));
    expect(ended.map(({ status, creditsUsed }) => [status, creditsUsed])).toEqual(
      Array(5).fill(['completed', 8]),
    );
    expect(await creditsOf(user)).toBe(0);
    const { sql } = app.database.database;
    const [held] =
      await sql`select count(*)::int as all, count(*) filter (where state = 'settled')::int as settled
                               from credit.hold`;
    expect(held).toEqual({ all: 5, settled: 5 });
    await expectNoDrift(sql);
    await app.close();
  },
);
