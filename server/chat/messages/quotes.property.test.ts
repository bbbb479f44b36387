import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { LedgerPage } from '#contract/credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, type Draft, draft, waitForEnd } from '#test/chat/chat.ts';
import { type StoredFile, storeFile } from '#test/chat/files.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { insertSubscription } from '#test/factories.ts';
import { runs, timeoutFor } from '#test/runs.ts';

/** Catalogue models and the upstream model of their first route. */
const UPSTREAM = {
  'parley-pro': 'gemini-4-argon',
  'parley-flash': 'gemini-3.8-flash',
  'gemini-2.5-flash-lite': 'gemini-2.5-flash-lite',
};
type Model = keyof typeof UPSTREAM;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((some) => `x${some}`);
/** Parts as Gemini writes them, signed by the model that is asked. */
const part = fc.oneof(
  text.map((some) => ({ text: some })),
  text.map((some) => ({ text: some, thought: true })),
  text.map((some) => ({ text: some, thoughtSignature: 'sig' })),
  text.map((code) => ({ executableCode: { language: 'PYTHON', code }, thoughtSignature: 'sig' })),
  text.map((output) => ({ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output } })),
  fc.constant({ toolCall: { id: '1', args: { '2': 1, '1': 2 } }, thoughtSignature: 'sig' }),
);
const SOME = Buffer.from('some bytes');
/** Files as they stand when they were read: what is stored, and what Gemini is given of it. */
const file = fc.oneof(
  fc.nat({ max: 12_000 }).map((tokens): StoredFile => ({ name: 'a.csv', text: `a,${tokens}`, tokens })),
  fc
    .constantFrom('image/png', 'image/heic')
    .map((type): StoredFile => ({ name: 'a', type, data: SOME, tokens: 1_120 })),
  fc.integer({ min: 1, max: 20 }).map(
    (pages): StoredFile => ({
      name: 'a.pdf',
      type: 'application/pdf',
      data: SOME,
      pages,
      tokens: 560 * pages,
    }),
  ),
);
const turn = fc.record({
  files: fc.array(fc.tuple(file, fc.boolean()), { maxLength: 3 }),
  model: fc.constantFrom(...(Object.keys(UPSTREAM) as Model[])),
  search: fc.constantFrom(undefined, 'off' as const, 'auto' as const, 'always' as const),
  parts: fc.array(part, { maxLength: 5 }),
  searches: fc.nat({ max: 8 }),
  end: fc.constantFrom('STOP', 'STOP', 'STOP', 'MAX_TOKENS', 'SAFETY', 'OTHER', 'cut', 'stopped'),
  shown: fc.constantFrom(null, 0, -1, 100),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { UNANSWERED_LIMIT: '1000', UNCHARGED_LIMIT: '1000' } });
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

function partsOf({ model, parts }: Turn): string[] {
  return parts.map((one) => JSON.stringify(one).replace('"sig"', `"sig/${UPSTREAM[model]}/1"`));
}

async function play(one: Turn): Promise<void> {
  await app.gemini.reset();
  if (one.end === 'stopped') return app.gemini.scenario('never-ends');
  const finish = one.end === 'cut' ? { finishReason: undefined } : { finishReason: one.end };
  const ran = one.search === 'auto' || one.search === 'always' ? searched(one.searches) : {};
  const bytes = geminiBytes([partsOf(one), []], { ...ran, ...finish });
  await app.gemini.scenario('verbatim', { params: { bytes }, times: null });
}

test('P21: no mix of models, searches, files, parts, failures and stops costs more than was quoted, and each model gets its own parts back', {
  timeout: timeoutFor(180_000),
}, async () => {
  let charged = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
      const user = await app.signedIn();
      await insertSubscription(app.database.database.sql, user.userId);
      let spent = 0;
      let last: Message | null = null;
      let written: { model: Model; parts: string[] }[] = [];
      let kept = 0;
      for (const one of turns) {
        await play(one);
        const { model, search } = one;
        const options = search === undefined ? {} : { options: { search } };
        const { sql } = app.database.database;
        const files = await Promise.all(
          one.files.map(([each, everyTurn]) => storeFile(sql, user.userId, { ...each, everyTurn })),
        );
        const tokens = one.files.reduce((sum, [each]) => sum + (each.tokens ?? 0), kept);
        const above: Partial<Draft> = last ? { conversationId: last.conversationId, parentId: last.id } : {};
        const asked = await user.post('/api/quotes', { model, files, ...above, ...options });
        const wanted: Draft = {
          ...draft({ ...above, model, files }),
          ...options,
        };
        if (asked.status !== 200) {
          // More than the model reads at a time.
          expect(asked.status).toBe(413);
          expect((await user.post('/api/messages', wanted)).status).toBe(413);
          continue;
        }
        const quoted = (await asked.json()) as Message['quote'];
        const filesLine = quoted.lines.find(({ kind }) => kind === 'files');
        expect(filesLine?.max ?? 0).toBe(Math.ceil(Math.max(0, tokens - 8_000) / 8_000));
        const isShownLess = one.shown === -1;
        const maxCredits = one.shown === null ? {} : { maxCredits: quoted.max + one.shown };
        const response = await user.post('/api/messages', { ...wanted, ...maxCredits });
        const isShort = quoted.max > 40 - spent;
        expect(response.status).toBe(isShownLess ? 409 : isShort ? 402 : 201);
        if (response.status !== 201) continue;
        if (one.end === 'stopped') await user.post(`/api/messages/${wanted.id}/stop`, {});
        const message = await waitForEnd(user, wanted.id);
        expect(message.quote).toEqual(quoted);
        kept += one.files.reduce((sum, [each, everyTurn]) => sum + (everyTurn ? (each.tokens ?? 0) : 0), 0);
        expect(message.creditsUsed).toBeLessThanOrEqual(quoted.max);
        expect(message.charged?.total).toBe(message.creditsUsed);
        const sum = message.charged?.lines.reduce((all, { credits }) => all + credits, 0);
        expect(sum).toBe(message.creditsUsed);
        if (message.status === 'failed') expect(message.creditsUsed).toBe(0);
        spent += message.creditsUsed;
        charged += message.creditsUsed > 0 ? 1 : 0;
        expect(await creditsOf(user)).toBe(40 - spent);
        // One that was stopped may not have reached the model.
        const isAsked = one.end !== 'stopped' || (await app.gemini.requests()).length > 0;
        if (isAsked && !message.contextTrimmed) await expectBack(model, written);
        written = message.status === 'completed' ? [...written, { model, parts: partsOf(one) }] : written;
        if (message.status === 'stopped' && message.response.trim() !== '') break;
        last = message;
      }
      const { entries } = (await (await user.get('/api/credits/entries?limit=100')).json()) as LedgerPage;
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(40 - spent);
    }),
    { numRuns: runs(25, 3_000), endOnFailure: true },
  );
  expect(charged).toBeGreaterThan(0);
});

/** What the last request said for the model: the parts of its own answers as they came, of others nothing that was signed. */
async function expectBack(model: Model, written: { model: Model; parts: string[] }[]): Promise<void> {
  const asked = (await app.gemini.requests()).at(-1)?.body as
    | { contents: { role: string; parts: { thoughtSignature?: string }[] }[] }
    | undefined;
  const answers = (asked?.contents ?? []).filter(({ role }) => role === 'model');
  expect(answers).toHaveLength(written.length);
  for (const [index, { model: writer, parts }] of written.entries()) {
    const back = answers[index]?.parts ?? [];
    const isSigned = parts.some((one) => one.includes('"thoughtSignature"') || one.includes('"codeExec'));
    if (writer === model && isSigned) expect(back).toEqual(parts.map((one) => JSON.parse(one)));
    else for (const one of back) expect(one.thoughtSignature).toBeUndefined();
  }
}
