import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FailuresScreen, Today } from '#contract/admin/screens.ts';
import type { ScenarioName } from '#emulators/scenario.ts';
import en from '#i18n/en/admin.json' with { type: 'json' };
import zh from '#i18n/zh/admin.json' with { type: 'json' };
import type { UpstreamFault } from '#server/chat/message-store/message-parts.ts';
import { UPSTREAM_ERROR_KINDS } from '#server/chat/upstream/transport/upstream-error.ts';
import { deleteOldAnswers } from '#server/openai-api/jobs.ts';
import { read } from '#test/admin/console.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    env: { UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '4000', UPSTREAM_IDLE_TIMEOUT_MS: '1500' },
  });
});
afterAll(() => app.close());

const FAULTS: [ScenarioName, string, UpstreamFault | null][] = [
  ['bad-key', 'upstream_failed', 'auth'],
  ['http-402', 'upstream_failed', 'balance'],
  ['http-429', 'upstream_failed', 'rate'],
  ['http-503', 'upstream_failed', 'overloaded'],
  ['drop-connection', 'upstream_failed', 'connect'],
  ['http-400', 'upstream_failed', 'fetch'],
  ['cut-off', 'upstream_failed', 'truncated'],
  ['malformed', 'upstream_failed', 'parse'],
  ['model-error', 'upstream_failed', 'model_error'],
  ['blocked-prompt', 'upstream_blocked', null],
  ['empty', 'upstream_empty', null],
];

it.runIf(IS_LONG)(
  'a failed answer is listed with what lay behind it at the provider, and counted by it',
  async () => {
    const operator = await app.signedIn();
    await makeOperator(app.database.database.sql, operator.userId);
    const causes = await Promise.all(
      FAULTS.map(async ([scenario]) => {
        const user = await app.signedIn();
        await ask(user, { content: `/emulate ${scenario}` });
        return user.userId;
      }),
    );
    const { failures } = await read<FailuresScreen>(operator, '/api/admin/failures');
    const shown = causes.map((userId) => failures.find((failure) => failure.userId === userId));
    expect(shown.map((failure) => [failure?.code, failure?.fault])).toEqual(
      FAULTS.map(([, code, fault]) => [code, fault]),
    );
    const today = await read<Today>(operator, '/api/admin/today');
    expect(today.failures).toContainEqual({ code: 'upstream_failed', fault: 'auth', count: 1 });
    expect(today.failures).toContainEqual({ code: 'upstream_blocked', fault: null, count: 1 });
  },
);

it('what lay behind a failed answer outlives the answer of the API, which is erased', async () => {
  const { sql } = app.database.database;
  const { user, client } = await apiUser(app);
  await app.gemini.scenario('bad-key', { times: 1 });
  const messages = [{ role: 'user' as const, content: 'hello' }];
  await expect(
    client.chat.completions.create({ model: 'gemini-2.5-flash-lite', messages }),
  ).rejects.toThrow();
  await sql`update api_requests set created_at = created_at - interval '2 hours' where user_id = ${user.userId}`;
  await deleteOldAnswers(app.deps);
  const rows = await sql`
    select output, erased_at is not null as erased from messages where user_id = ${user.userId}`;
  expect(rows).toEqual([{ output: { fault: 'auth' }, erased: true }]);
});

it('whatever may lie behind a failed answer has words in both languages', () => {
  const faults: UpstreamFault[] = [...UPSTREAM_ERROR_KINDS, 'too_long'];
  for (const { word } of [zh, en]) expect(Object.keys(word.fault).toSorted()).toEqual(faults.toSorted());
});
