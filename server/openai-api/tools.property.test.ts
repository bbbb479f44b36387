import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputMessage } from '#contract/openai.ts';
import { areCallsAnswered, callsOf } from '#server/chat/upstream/transport/turn-parts.ts';
import { AppError } from '#server/errors.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { runs } from '#test/runs.ts';
import { parseTools } from './question/parse-tools.ts';
import { readTurns } from './question/read-turns.ts';

const ids = fc.constantFrom('a', 'b', 'call_AAAAAAAAAAAAAAAAAAAAAA00', '__proto__');
const names = fc.constantFrom('f', 'get_weather', '__proto__', 'constructor');
const words = fc.constantFrom('', ' ', 'Hi', '{"a":1}', '\0\ud800', '字'.repeat(30));
const call = fc.record({
  id: ids,
  type: fc.constant('function' as const),
  function: fc.record({ name: names, arguments: words }),
});
const message: fc.Arbitrary<InputMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom('user' as const, 'system' as const), content: words }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: words,
    tool_calls: fc.array(call, { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('tool' as const), tool_call_id: ids, content: words }),
);

let app: TestApp;
let caller: Awaited<ReturnType<typeof apiUser>>;
beforeAll(async () => {
  app = await createTestApp();
  await app.gemini.pace({ ttftMs: 0, gapMs: 0, jitter: 0 });
  caller = await apiUser(app);
  await app.database.database.sql`
    select credit.grant_credits(${caller.user.userId}, 'adjustment', 'test', null, null, 1000000, null, now() + interval '1 day', 'goodwill', null)`;
});
afterAll(() => app.close());

test('whatever order messages come in, what is taken begins and ends with the user, and each call has its one result', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
      let turns: ReturnType<typeof readTurns>['turns'];
      try {
        turns = readTurns(messages).turns;
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).params.field).toMatch(/^messages/);
        return;
      }
      expect([turns[0]?.role, turns.at(-1)?.role]).toEqual(['user', 'user']);
      for (const [index, turn] of turns.entries()) {
        const next = turns[index + 1];
        expect(next?.role).not.toBe(turn.role);
        if (turn.role === 'model') expect(areCallsAnswered(callsOf(turn as never), next as never)).toBe(true);
        else if (index === 0) expect(turn.parts.every(({ kind }) => kind !== 'result')).toBe(true);
      }
      const made = messages.flatMap(({ tool_calls: calls }) => calls ?? []).length;
      expect(turns.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'result')).toHaveLength(made);
    }),
    { numRuns: runs(500) },
  );
});

test('a choice among functions names only those that are there', () => {
  const tool = names.map((name) => ({ type: 'function' as const, function: { name } }));
  const choice = fc.oneof(fc.constantFrom('none' as const, 'auto' as const, 'required' as const, null), tool);
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 4 }), choice, (tools, tool_choice) => {
      let asked: ReturnType<typeof parseTools>;
      try {
        asked = parseTools({ tools, tool_choice });
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      const given = asked?.functions?.map(({ name }) => name) ?? [];
      expect(new Set(given).size).toBe(given.length);
      if (typeof asked?.choice === 'object') expect(given).toContain(asked.choice.name);
    }),
    { numRuns: runs(300) },
  );
});

test('no request with tools is ever a fault of ours, and each refusal has OpenAI’s shape', async () => {
  const schema = fc.oneof(
    fc.constantFrom({}, { type: 'object' }, { type: 'string' }, null, [], 'x'),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const tool = fc.record({
    type: fc.constantFrom('function', 'function', 'function', 'custom'),
    function: fc.record(
      { name: fc.oneof(names, words), parameters: schema, strict: fc.boolean() },
      { requiredKeys: ['name'] },
    ),
  });
  const body = fc.record(
    {
      model: fc.constant('gemini-2.5-flash-lite'),
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      tools: fc.array(tool, { maxLength: 3 }),
      tool_choice: fc.oneof(fc.constantFrom('none', 'auto', 'required'), tool, fc.jsonValue({ maxDepth: 2 })),
      response_format: fc.constantFrom(
        { type: 'text' },
        { type: 'json_object' },
        { type: 'json_schema', json_schema: { name: 'x', schema: {} } },
      ),
      web_search_options: fc.oneof(fc.constantFrom({}, null), fc.jsonValue({ maxDepth: 2 })),
      reasoning_effort: fc.constantFrom('none', 'low', 'max', 'much'),
      parallel_tool_calls: fc.boolean(),
      stream: fc.boolean(),
    },
    { requiredKeys: ['model', 'messages'] },
  );
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const response = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(sent),
      });
      const text = await response.text();
      expect([200, 400, 429], text).toContain(response.status);
      if (response.status === 200) {
        expect(text).not.toContain('"server_error"');
        return;
      }
      expect(JSON.parse(text)).toEqual({
        error: {
          message: expect.any(String),
          type: expect.any(String),
          param: expect.toBeOneOf([null, expect.any(String)]),
          code: expect.any(String),
        },
      });
    }),
    { numRuns: runs(150) },
  );
}, 600_000);
