import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asking, listen, nothingReceived, openTestUpstream } from '#test/chat/upstream.ts';
import { runs } from '#test/runs.ts';
import type { Turn, TurnPart } from '../transport/upstream.ts';

const FLASH = 'gemini-3.8-flash';

describe('a conversation that is passed from model to model', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((some) => `x${some}`);
  const part: fc.Arbitrary<TurnPart> = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text }),
    fc.record({
      kind: fc.constant('media' as const),
      type: fc.constantFrom('image/png', 'application/pdf', 'text/plain'),
      name: fc.option(text, { nil: null }),
      data: fc.base64String(),
    }),
    fc.record({
      kind: fc.constant('result' as const),
      id: fc.constantFrom('c0', 'c1'),
      name: text,
      output: fc.oneof(text, fc.constant('{"a":1}')),
    }),
  );
  const call = fc.record({
    kind: fc.constant('call' as const),
    id: fc.constantFrom('c0', 'c1'),
    name: text,
    args: fc.constantFrom('{}', '{"a":1e400}', 'not JSON'),
  });
  const writers = fc.constantFrom(
    { dialect: 'gemini' as const, model: FLASH },
    { dialect: 'gemini' as const, model: 'gemini-4-argon' },
    { dialect: 'gemini-interactions' as const, model: FLASH },
    { dialect: 'openai-compatible' as const, model: 'deepseek-chat' },
  );
  const answered = fc
    .record({
      said: text,
      calls: fc.uniqueArray(call, { maxLength: 2, selector: ({ id }) => id }),
      writer: writers,
      isSigned: fc.boolean(),
    })
    .map(({ said, calls, writer, isSigned }): Turn => {
      const signature = `sig/${writer.model}/1`;
      const lines = {
        gemini: [
          said.length,
          ...calls.map(({ id, name }) =>
            JSON.stringify({ functionCall: { id, name, args: {} }, thoughtSignature: signature }),
          ),
          JSON.stringify({ text: '', thoughtSignature: `sig/${writer.model}/2` }),
        ],
        'gemini-interactions': [
          said.length,
          JSON.stringify({ type: 'thought', signature }),
          ...calls.map(({ id, name }) => JSON.stringify({ type: 'function_call', id, name, arguments: {} })),
        ],
        'openai-compatible': [
          JSON.stringify(
            calls.map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
          ),
        ],
      }[writer.dialect];
      return {
        role: 'model',
        parts: [{ kind: 'text', text: said }, ...calls],
        kept:
          isSigned && (calls.length > 0 || writer.dialect !== 'openai-compatible')
            ? { ...writer, lines }
            : null,
      };
    });
  const conversation = fc
    .tuple(
      fc.array(fc.tuple(fc.array(part, { maxLength: 3 }), answered), { maxLength: 4 }),
      fc.array(part, { maxLength: 3 }),
    )
    .map(([exchanges, last]): Turn[] => {
      const asked = (parts: TurnPart[]): Turn => ({
        role: 'user',
        parts: [{ kind: 'text', text: 'a' }, ...parts],
      });
      return [...exchanges.flatMap(([parts, model]) => [asked(parts), model]), asked(last)];
    });

  test.each(['gemini', 'openai-compatible'] as const)(
    'is never refused for its parts by %s',
    async (dialect) => {
      const on = await openTestUpstream(dialect);
      try {
        await fc.assert(
          fc.asyncProperty(conversation, async (turns) => {
            await on.control.reset();
            await on.control.pace({ ttftMs: 0, gapMs: 0, jitter: 0 });
            await listen(on.upstream, { system: null, turns }, nothingReceived());
            expect(await on.control.requests()).toHaveLength(1);
          }),
          { numRuns: runs(40, 500) },
        );
      } finally {
        await on.close();
      }
    },
  );

  /** What a browser showed in place of what a function gave. */
  function seeing({ parts, ...turn }: Turn): Turn {
    const seen = (each: TurnPart): TurnPart =>
      each.kind === 'result'
        ? { kind: 'seen', id: each.id, name: each.name, response: '{"url":"http://a.test/"}', jpeg: 'AAAA' }
        : each;
    return { ...turn, parts: parts.map(seen) };
  }

  test('is never refused for its parts by the Interactions API', async () => {
    const on = await openTestUpstream('gemini');
    const tools = { browser: true };
    try {
      await on.control.scenario('only-interactions', { times: 2 });
      await listen(on.upstream, { ...asking('a'), tools }, nothingReceived());
      await fc.assert(
        fc.asyncProperty(conversation, async (turns) => {
          await on.control.reset();
          await on.control.pace({ ttftMs: 0, gapMs: 0, jitter: 0 });
          await listen(on.upstream, { system: null, turns: turns.map(seeing), tools }, nothingReceived());
          const paths = (await on.control.requests()).map(({ path }) => path);
          expect(paths).toEqual(['/v1beta/interactions']);
        }),
        { numRuns: runs(40, 500) },
      );
    } finally {
      await on.close();
    }
  });
});
