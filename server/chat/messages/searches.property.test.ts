import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, waitForEnd } from '#test/chat/chat.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { runs, timeoutFor } from '#test/runs.ts';

const MODEL = 'gemini-2.5-flash-lite';
const PRICE = 8;

/** How an answer ends, and when the provider names its searches: with the first event, or with the last. */
const answer = fc.record({
  mode: fc.constantFrom('auto' as const, 'always' as const),
  searches: fc.nat({ max: 9 }),
  isNamedEarly: fc.boolean(),
  end: fc.constantFrom('STOP', 'STOP', 'MAX_TOKENS', 'SAFETY', 'OTHER', 'cut', 'empty', 'stopped'),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { UNANSWERED_LIMIT: '1000', UNCHARGED_LIMIT: '1000' } });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

async function play({ searches, isNamedEarly, end }: Answer): Promise<void> {
  await app.gemini.reset();
  const found = searched(searches);
  const said = end === 'empty' ? '{"text":""}' : '{"text":"Yes."}';
  const ending = end === 'cut' || end === 'stopped' ? undefined : end === 'empty' ? 'STOP' : end;
  const first = geminiBytes([[said]], { ...(isNamedEarly ? found : {}), finishReason: undefined });
  const last = geminiBytes([['{"text":""}']], { ...(isNamedEarly ? {} : found), finishReason: ending });
  // What is stopped has not come to its last event.
  const bytes = end === 'stopped' ? first : first + last;
  const open = end === 'stopped' ? 1 : 0;
  await app.gemini.scenario('verbatim', { params: { bytes, open }, times: null });
}

test('P23: a search costs 3 for each query that ran, 15 at most, and nothing where the answer failed', {
  timeout: timeoutFor(300_000),
}, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(answer, async (one) => {
      await play(one);
      const user = await app.signedIn();
      const sent = { ...draft({ model: MODEL }), options: { search: one.mode } };
      expect((await user.post('/api/messages', sent)).status).toBe(201);
      if (one.end === 'stopped') {
        const events = await openEvents(user, `/api/messages/${sent.id}/events`);
        await events.next(({ event }) => event === 'text');
        await user.post(`/api/messages/${sent.id}/stop`, {});
        events.close();
      }
      const message = await waitForEnd(user, sent.id);
      const isFailed = ['SAFETY', 'OTHER', 'cut', 'empty'].includes(one.end);
      expect(message.status).toBe(isFailed ? 'failed' : one.end === 'stopped' ? 'stopped' : 'completed');
      const isNamed = one.isNamedEarly || one.end !== 'stopped';
      const ran = isNamed ? one.searches : 0;
      const search = isFailed ? 0 : Math.min(3 * ran, 15);
      const lines = [
        { kind: 'message', credits: PRICE },
        { kind: 'search', credits: search },
      ].filter(({ credits }) => !isFailed && credits > 0);
      expect(message.charged).toEqual({ total: isFailed ? 0 : PRICE + search, lines });
      expect(await creditsOf(user)).toBe(40 - message.creditsUsed);
      const [row] = await app.database.database.sql`
        select coalesce((output ->> 'searches')::int, 0) as searches from messages where id = ${sent.id}`;
      expect(row?.searches).toBe(ran);
      seen.add(message.status);
    }),
    { numRuns: runs(15, 500), endOnFailure: true },
  );
  expect(seen.size).toBe(3);
});
