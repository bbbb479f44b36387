import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerPage } from '#contract/credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { IS_LONG } from '#test/runs.ts';

const DAY = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => app.gemini.reset());
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

const SEARCHING = { options: { search: 'auto' as const } };
const QUOTE = {
  max: 23,
  lines: [
    { kind: 'message', max: 8, params: {} },
    { kind: 'search', max: 15, params: { each: 3, most: 15 } },
  ],
};

async function quote(client: TestClient, over: object = {}): Promise<unknown> {
  const response = await client.post('/api/quotes', { model: 'gemini-2.5-flash-lite', ...over });
  return response.json();
}

async function entriesOf(client: TestClient): Promise<LedgerPage['entries']> {
  return ((await (await client.get('/api/credits/entries')).json()) as LedgerPage).entries;
}

function answerAfter(searches: number): Promise<void> {
  const bytes = geminiBytes([['{"text":"Yes."}']], searched(searches));
  return app.gemini.scenario('verbatim', { params: { bytes } });
}

test.runIf(IS_LONG)(
  'a message that runs while its model’s price changes costs what was quoted; the next one costs the new price',
  async () => {
    const clock = new FakeClock();
    const own = await createTestApp({ clock });
    const tomorrow = Math.floor(clock.now().getTime() / DAY + 1) * DAY;
    await own.database.database.sql`
    insert into model_prices values ('gemini-2.5-flash-lite', ${new Date(tomorrow).toISOString().slice(0, 10)}, 20)`;
    try {
      const user = await own.signedIn();
      const { id } = await send(user, { content: '/emulate slow-first-token ms=1500' });
      clock.moveTo(tomorrow + 1);
      expect(await waitForEnd(user, id)).toMatchObject({ status: 'completed', cost: 8, creditsUsed: 8 });
      expect(await creditsOf(user)).toBe(32);
      const next = await send(user);
      expect(await waitForEnd(user, next.id)).toMatchObject({ status: 'completed', creditsUsed: 20 });
      expect(await creditsOf(user)).toBe(12);
      await expectNoDrift(own.database.database.sql);
    } finally {
      await own.close();
    }
  },
);

test('a message of text costs what it is quoted: its model’s price, on one line', async () => {
  const user = await app.signedIn();
  const plain = { max: 8, lines: [{ kind: 'message', max: 8, params: {} }] };
  expect(await quote(user, { content: 'Hello', options: { search: 'off' } })).toEqual(plain);
  const sent = await send(user);
  expect(sent).toMatchObject({ quote: plain, charged: null, cost: 8 });
  const ended = await waitForEnd(user, sent.id);
  expect(ended).toMatchObject({ quote: plain, creditsUsed: 8 });
  expect(ended.charged).toEqual({ total: 8, lines: [{ kind: 'message', credits: 8 }] });
  const [entry] = await entriesOf(user);
  expect(entry).not.toHaveProperty('lines');
  const [row] = await app.database.database.sql`
    select num_nonnulls(m.input, m.output, m.kept, h.charged, h.lines) as more
      from messages m join credit.hold h on h.id = m.id where m.id = ${sent.id}`;
  expect(row?.more).toBe(0);
});

test.each([
  [0, 8],
  [2, 14],
  [9, 23],
])('of a search that may cost 15, %i queries make the message cost %i', async (searches, total) => {
  const user = await app.signedIn();
  expect(await quote(user, SEARCHING)).toEqual(QUOTE);
  await answerAfter(searches);
  const sent = await send(user, SEARCHING);
  expect(sent).toMatchObject({ quote: QUOTE, cost: 23 });
  const lines = [
    { kind: 'message', credits: 8 },
    ...(searches > 0 ? [{ kind: 'search', credits: total - 8 }] : []),
  ];
  const ended = await waitForEnd(user, sent.id);
  expect(ended).toMatchObject({ status: 'completed', creditsUsed: total, charged: { total, lines } });
  expect(await creditsOf(user)).toBe(40 - total);
  const [first, ...others] = (await entriesOf(user)).filter(({ messageId }) => messageId === sent.id);
  const charge = { kind: 'charge', amount: -23, lines };
  if (total === 23) return expect(first).toMatchObject(charge);
  expect(first).toMatchObject({ kind: 'release', amount: 23 - total, reason: 'unused' });
  expect(others).toMatchObject([charge]);
});

test('the most that a message may cost is held, and refused where it is not there', async () => {
  const user = await app.signedIn();
  await app.gemini.scenario('never-ends');
  const running = await send(user, SEARCHING);
  expect(await creditsOf(user)).toBe(17);
  const second = await user.post('/api/messages', { ...draft(), ...SEARCHING });
  expect(await refusal(second)).toMatchObject({
    code: 'insufficient_credits',
    params: { needed: 23, balance: 17 },
  });
  await user.post(`/api/messages/${running.id}/stop`, {});
  const ended = await waitForEnd(user, running.id);
  expect(ended.creditsUsed).toBe(ended.response === '' ? 0 : 8);
  expect(await creditsOf(user)).toBe(40 - ended.creditsUsed);
});

test.each([
  [2, 14],
  [9, 23],
  [0, 8],
])(
  'of an answer that is stopped after the provider told of %i searches, they are charged and shown: %i',
  async (searches, total) => {
    const user = await app.signedIn();
    const told = searches > 0 ? searched(searches) : {};
    const bytes = geminiBytes([['{"text":"Yes."}'], ['{"text":" And"}']], {
      ...told,
      finishReason: undefined,
    });
    await app.gemini.scenario('verbatim', { params: { bytes, open: 1 } });
    const { id } = await send(user, SEARCHING);
    const tab = await openEvents(user, `/api/messages/${id}/events`);
    await tab.next(({ event, data }) => event === 'text' && String(data.text).endsWith('And'));
    tab.close();
    await user.post(`/api/messages/${id}/stop`, {});
    const ended = await waitForEnd(user, id);
    expect(ended).toMatchObject({ status: 'stopped', response: 'Yes. And', creditsUsed: total });
    expect(ended.charged).toEqual({
      total,
      lines: [
        { kind: 'message', credits: 8 },
        ...(searches > 0 ? [{ kind: 'search', credits: total - 8 }] : []),
      ],
    });
    expect((ended.parts ?? []).filter(({ kind }) => kind === 'sources')).toHaveLength(searches > 0 ? 1 : 0);
    expect(await creditsOf(user)).toBe(40 - total);
  },
);

test('an answer that failed is free, however much was searched for it', async () => {
  const user = await app.signedIn();
  const bytes = geminiBytes([['{"text":"Y"}']], { ...searched(3), finishReason: 'SAFETY' });
  await app.gemini.scenario('verbatim', { params: { bytes } });
  const ended = await waitForEnd(user, (await send(user, SEARCHING)).id);
  expect(ended).toMatchObject({ status: 'failed', creditsUsed: 0, charged: { total: 0, lines: [] } });
  expect(await creditsOf(user)).toBe(40);
});

test('a message that would cost more than its sender was shown is refused with the new quote, and nothing is charged', async () => {
  const user = await app.signedIn();
  const message = { ...draft(), ...SEARCHING };
  const response = await user.post('/api/messages', { ...message, maxCredits: 22 });
  expect(response.status).toBe(409);
  const { error } = (await response.json()) as { error: unknown };
  expect(error).toMatchObject({ code: 'quote_changed', params: { max: 23 }, quote: QUOTE });
  expect(await creditsOf(user)).toBe(40);
  await answerAfter(0);
  await send(user, { ...message, maxCredits: 23 });
  // What was sent is sent: a repeat is no new price.
  expect((await user.post('/api/messages', { ...message, maxCredits: 1 })).status).toBe(200);
});

test('the same id with another option is another message', async () => {
  const user = await app.signedIn();
  const message = { ...draft(), ...SEARCHING };
  await answerAfter(0);
  await send(user, message);
  expect((await user.post('/api/messages', message)).status).toBe(200);
  const other = await user.post('/api/messages', { ...message, options: { search: 'always' } });
  expect(await refusal(other)).toMatchObject({ code: 'key_reused' });
});

test('a model is told to search as the option says', async () => {
  const user = await app.signedIn();
  for (const search of ['off', 'auto', 'always'] as const) {
    await answerAfter(0);
    await waitForEnd(user, (await send(user, { options: { search } })).id);
  }
  const asked = (await app.gemini.requests()).map(({ body }) => body as Record<string, unknown>);
  expect(asked.map(({ tools }) => tools)).toEqual([
    undefined,
    [{ googleSearch: {} }],
    [{ googleSearch: {} }],
  ]);
  expect(asked.map(({ systemInstruction }) => systemInstruction !== undefined)).toEqual([false, false, true]);
});

test('a model that cannot be asked has no quote', async () => {
  const user = await app.signedIn();
  for (const [model, code] of [
    ['gemini-2.5-pro', 'model_not_allowed'],
    ['gemini-3.5-pro', 'model_not_allowed'],
    ['none', 'not_found'],
  ]) {
    expect(await refusal(await user.post('/api/quotes', { model }))).toMatchObject({ code });
  }
  const strange = await user.post('/api/messages', {
    ...draft({ id: randomUUID() }),
    options: { search: 'maybe' },
  });
  expect(await refusal(strange)).toMatchObject({ code: 'invalid_request' });
});
