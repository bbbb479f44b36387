import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, waitForEnd } from '#test/chat/chat.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { runs, timeoutFor } from '#test/runs.ts';

const MODEL = 'gemini-3.1-flash-image';
const PRICES = { '1K': 20, '2K': 40, '4K': 70 };

const turn = fc.record({
  size: fc.constantFrom('1K' as const, '1K' as const, '2K' as const, '4K' as const, undefined),
  parts: fc.array(fc.constantFrom('text', 'picture', 'draft', 'broken'), { maxLength: 3 }),
  end: fc.constantFrom(
    'STOP',
    'STOP',
    'STOP',
    'MAX_TOKENS',
    'NO_IMAGE',
    'IMAGE_SAFETY',
    'OTHER',
    'cut',
    'stopped',
  ),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

let app: TestApp;
let picture: string;
beforeAll(async () => {
  app = await createTestApp({ env: { UNANSWERED_LIMIT: '1000', UNCHARGED_LIMIT: '1000' } });
  const made = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
  picture = (await made.png().toBuffer()).toString('base64');
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

function writePart(kind: Turn['parts'][number]): string {
  if (kind === 'text') return '{"text":"words"}';
  const data = kind === 'broken' ? Buffer.from('no picture').toString('base64') : picture;
  const thought = kind === 'draft' ? ',"thought":true' : `,"thoughtSignature":"sig/${MODEL}/x"`;
  return `{"inlineData":{"mimeType":"image/png","data":"${data}"}${thought}}`;
}

async function play({ parts, end }: Turn): Promise<void> {
  await app.gemini.reset();
  const finish = end === 'cut' || end === 'stopped' ? { finishReason: undefined } : { finishReason: end };
  const bytes = geminiBytes([...parts.map((part) => [writePart(part)]), []], finish);
  await app.gemini.scenario('verbatim', { params: { bytes }, times: null });
}

test('P25: whatever is made, spoilt, refused, cut off or stopped, a picture is charged its price once, and no picture nothing', {
  timeout: timeoutFor(600_000),
}, async () => {
  let charged = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      const user = await app.signedIn();
      await insertSubscription(app.database.database.sql, user.userId);
      let left = 40;
      for (const one of turns) {
        await play(one);
        const options = one.size ? { options: { picture: { size: one.size } } } : {};
        const price = PRICES[one.size ?? '1K'];
        const wanted = draft({ model: MODEL, content: 'A bridge', ...options });
        const response = await user.post('/api/messages', wanted);
        expect(response.status).toBe(price > left ? 402 : 201);
        if (response.status !== 201) continue;
        if (one.end === 'stopped') {
          const tab = await openEvents(user, `/api/messages/${wanted.id}/events`);
          if (one.parts.length % 2 === 0) await tab.next(({ event }) => event === 'part' || event === 'end');
          await user.post(`/api/messages/${wanted.id}/stop`, {});
          tab.close();
        }
        const message = await waitForEnd(user, wanted.id);
        left -= expectFair(message, price);
        charged += message.creditsUsed > 0 ? 1 : 0;
        expect(await creditsOf(user)).toBe(left);
        const [row] = await app.database.database.sql`
          select count(*)::int as files from files where message_id = ${message.id}`;
        expect(row?.files).toBe(picturesOf(message));
      }
    }),
    // One is surely charged, whatever chance brings.
    {
      numRuns: runs(2, 500),
      endOnFailure: true,
      examples: [[[{ size: '1K', parts: ['picture'], end: 'STOP' }]]],
    },
  );
  expect(charged).toBeGreaterThan(0);
});

const picturesOf = ({ parts = [] }: Message) => parts.filter(({ kind }) => kind === 'image').length;

/** What was charged, which is what it had to be. */
function expectFair(message: Message, price: number): number {
  expect(message.quote).toEqual({
    max: price,
    lines: [{ kind: 'picture', max: price, params: { each: price } }],
  });
  const isAnswer = message.status === 'completed' || message.status === 'stopped';
  expect(message.creditsUsed).toBe(isAnswer && picturesOf(message) > 0 ? price : 0);
  expect(message.charged?.total).toBe(message.creditsUsed);
  if (message.status === 'completed') expect(picturesOf(message)).toBeGreaterThan(0);
  if (message.status === 'failed') expect(message.error).not.toBeNull();
  return message.creditsUsed;
}
