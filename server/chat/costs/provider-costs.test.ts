import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Emulator } from '#emulators/http-server.ts';
import { startOpenaiEmulator } from '#emulators/openai/openai-emulator.ts';
import type { ScenarioName } from '#emulators/scenario.ts';
import { providerCost } from '#server/catalogue/provider-cost-rules.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, send, waitForEnd } from '#test/chat/chat.ts';
import { storeFile } from '#test/chat/files.ts';
import { geminiBytes, searched } from '#test/chat/gemini-bytes.ts';
import { openaiBytes } from '#test/chat/openai-bytes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import { openEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { composeInterruptedCosts } from './compose-interrupted-costs.ts';
import { type CostLine, composeUnknownCost } from './cost-rules.ts';

const FLASH = 'gemini-2.5-flash-lite';
/** Served by an OpenAI-compatible provider that has a price in the file, and by one that has none. */
const PRICED = 'gemini-2.5-flash';
const UNPRICED = 'parley-pro';
/** Served by Gemini, and by that provider where Gemini is silent. */
const DOUBLE = 'parley-flash';

let folder: string;
let openai: Emulator;
let other: EmulatorControl;
let app: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-prices-'));
  openai = await startOpenaiEmulator({ port: 0 });
  other = controlEmulator(openai.url);
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const route = {
    dialect: 'openai-compatible',
    baseUrl: `${openai.url}/v1`,
    keyVariable: 'DEEPSEEK_API_KEY',
  };
  app = await createTestApp({
    env: {
      DEEPSEEK_API_KEY: 'good',
      MODELS_FILE: write('models.json', {
        [PRICED]: [{ ...route, model: 'deepseek-chat' }],
        [UNPRICED]: [{ ...route, model: 'deepseek-reasoner' }],
        [DOUBLE]: [
          { dialect: 'gemini', model: 'gemini-3.8-flash' },
          { ...route, model: 'deepseek-chat', fallback: true },
        ],
      }),
      PROVIDER_PRICES_FILE: write('prices.json', {
        'deepseek-chat': [{ from: '2026-01-01', input: 0.28, cachedInput: 0.028, output: 0.42 }],
      }),
      TITLE_MODEL: FLASH,
      UPSTREAM_FIRST_TOKEN_TIMEOUT_MS: '2500',
      UPSTREAM_CONNECT_TIMEOUT_MS: '1000',
    },
  });
});
beforeEach(async () => {
  await app.gemini.reset();
  await other.reset();
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await openai.close();
  rmSync(folder, { recursive: true });
});

interface Row {
  kind: string;
  model: string;
  plan_key: string | null;
  features: string[];
  credits: number;
  provider: string | null;
  upstream_model: string | null;
  input_tokens: string;
  output_tokens: string;
  searches: number;
  pictures: number;
  uses: CostLine[];
  price_day: string | null;
  is_estimate: boolean;
  cost_pico_usd: string | null;
  unknown: string[];
}

/** The rows of a message; each cost is what its own lines say. */
async function costsOf(messageId: string, home = app): Promise<Row[]> {
  const rows = await home.database.database.sql<Row[]>`
    select kind, model, plan_key, features, credits, provider, upstream_model, input_tokens, output_tokens, searches, pictures,
           uses, price_day::text, is_estimate, cost_pico_usd, unknown
      from provider_costs where message_id = ${messageId} order by kind`;
  for (const { uses, cost_pico_usd: cost, unknown } of rows) {
    const costs = uses.map((line) => providerCost(line, line.price).picoUsd);
    const isKnown = !costs.includes(null) && !unknown.includes('usage');
    expect(cost).toBe(isKnown ? String(costs.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n)) : null);
  }
  return [...rows];
}

async function costOf(messageId: string, home = app): Promise<Row> {
  const [row, ...more] = (await costsOf(messageId, home)).filter(({ kind }) => kind === 'answer');
  if (!row || more.length > 0) throw new Error(`${more.length + (row ? 1 : 0)} rows of an answer`);
  return row;
}

/** A Pro user with 40 Credits. */
async function subscriber() {
  const user = await app.signedIn();
  await insertSubscription(app.database.database.sql, user.userId);
  return user;
}

describe('what an answer costs at its provider', () => {
  test('is recorded with its end: tokens as the provider counted them, at the price of the day', async () => {
    const user = await subscriber();
    const { id, usage, creditsUsed } = await ask(user, { model: FLASH });
    expect(await costOf(id)).toMatchObject({
      ...{ model: FLASH, plan_key: 'gemini_pro', features: [], credits: creditsUsed },
      ...{ provider: new URL(app.geminiUrl).host, upstream_model: FLASH, price_day: '2025-07-22' },
      input_tokens: String(usage?.inputTokens),
      output_tokens: String(usage?.outputTokens),
      cost_pico_usd: String((usage?.inputTokens ?? 0) * 100_000 + (usage?.outputTokens ?? 0) * 400_000),
      ...{ is_estimate: false, unknown: [] },
    });
  });

  test('counts searches, files, pictures and code, and says that it did', async () => {
    const user = await subscriber();
    const searching = '{"text":"Yes."}';
    const bytes = geminiBytes([[searching]], searched(3));
    const content = 'is it known anywhere';
    await app.gemini.scenario('verbatim', { params: { bytes }, match: content, times: 1 });
    const found = await ask(user, { model: FLASH, content, options: { search: 'always' } });
    expect(await costOf(found.id)).toMatchObject({ features: ['search'], searches: 3, is_estimate: true });

    const picture = await ask(user, { model: 'gemini-3.1-flash-image', content: 'a red bridge' });
    const drawn = await costOf(picture.id);
    expect(drawn).toMatchObject({ features: ['picture'], pictures: 1, credits: 20, is_estimate: false });
    expect(Number(drawn.cost_pico_usd)).toBeGreaterThan(67_000_000_000);
    expect(Number(drawn.cost_pico_usd)).toBeLessThan(68_000_000_000);

    const reader = await subscriber();
    const file = await storeFile(app.database.database.sql, reader.userId);
    const read = await ask(reader, { model: FLASH, files: [file] });
    expect(await costOf(read.id)).toMatchObject({ features: ['files'] });
    const coder = await ask(reader, {
      model: 'gemini-2.5-pro',
      content: '/emulate code-run',
      options: { code: true },
    });
    expect(await costOf(coder.id)).toMatchObject({ features: ['code'] });
  });

  test('is estimated where the provider does not count, also of a stopped answer', async () => {
    const user = await subscriber();
    await other.pace({ ttftMs: 2, gapMs: 10, jitter: 0 });
    const content = '/emulate never-ends';
    const { id } = await send(user, { model: PRICED, content });
    const events = await openEvents(user, `/api/messages/${id}/events`);
    await events.next(({ event }) => event === 'text');
    await user.post(`/api/messages/${id}/stop`, {});
    const { response, creditsUsed } = await waitForEnd(user, id);
    const row = await costOf(id);
    expect(row).toMatchObject({ is_estimate: true, credits: creditsUsed, price_day: '2026-01-01' });
    expect(Number(row.input_tokens)).toBeGreaterThanOrEqual(estimateTokens(content));
    expect(Number(row.output_tokens)).toBeGreaterThanOrEqual(estimateTokens(response));
  });

  test('is estimated where what the provider says of tokens says nothing, and nobody is told of zeros', async () => {
    const said = openaiBytes([{ content: 'Yes.' }], 'stop');
    const usage = 'data: {"choices":[],"usage":{"input_tokens":500,"total_tokens":0}}\n\n';
    const bytes = said.replace('data: [DONE]', `${usage}data: [DONE]`);
    await other.scenario('verbatim', { params: { bytes }, times: 2 });
    const user = await subscriber();
    const asked = await ask(user, { model: PRICED, content: 'Is it so?' });
    const row = await costOf(asked.id);
    expect(asked.usage).toBeNull();
    expect(row).toMatchObject({ is_estimate: true, unknown: [], upstream_model: 'deepseek-chat' });
    expect(Number(row.cost_pico_usd)).toBeGreaterThan(0);

    const { client, user: caller } = await apiUser(app);
    await insertSubscription(app.database.database.sql, caller.userId);
    const messages = [{ role: 'user' as const, content: 'Is it so?' }];
    const answer = await client.chat.completions.create({ model: PRICED, messages });
    expect(answer.usage?.prompt_tokens).toBeGreaterThanOrEqual(estimateTokens('Is it so?'));
    expect(answer.usage?.completion_tokens).toBe(estimateTokens('Yes.'));
  });

  test('is not known, and never nothing, where the price is not', async () => {
    const user = await subscriber();
    const { id, usage } = await ask(user, { model: UNPRICED });
    expect(await costOf(id)).toMatchObject({
      ...{ cost_pico_usd: null, unknown: ['price'], upstream_model: 'deepseek-reasoner', price_day: null },
      input_tokens: String(usage?.inputTokens),
    });
  });

  test.runIf(IS_LONG).each<[ScenarioName, boolean]>([
    ['http-400', false],
    ['http-429', false],
    ['http-503', false],
    ['blocked-after-text', true],
    ['cut-off', true],
    ['no-headers', true],
  ])('that failed by %s is recorded too; the provider worked for it: %s', async (scenario, hasWorked) => {
    const user = await subscriber();
    const { id, status } = await ask(user, { model: FLASH, content: `/emulate ${scenario}` });
    expect(status).toBe('failed');
    const row = await costOf(id);
    expect(row).toMatchObject({ credits: 0, unknown: [] });
    expect(Number(row.cost_pico_usd) > 0).toBe(hasWorked);
    expect(row.provider !== null).toBe(hasWorked);
  });

  test.each([
    [FLASH, 'the request that searched', 35_000_000_000],
    [DOUBLE, 'each query', 4 * 14_000_000_000],
  ])('that failed after it searched (%s) is free, and costs us %s', async (model, _, price) => {
    const user = await subscriber();
    const bytes = geminiBytes([['{"text":"Yes."}']], { ...searched(4), finishReason: 'SAFETY' });
    await app.gemini.scenario('verbatim', { params: { bytes }, times: 1 });
    const failed = await ask(user, { model, content: 'is it known?', options: { search: 'always' } });
    expect(failed).toMatchObject({ status: 'failed', creditsUsed: 0, charged: { total: 0, lines: [] } });
    const row = await costOf(failed.id);
    expect(row).toMatchObject({ credits: 0, features: ['search'], searches: 4, unknown: [] });
    // Beside the searches there are some tokens.
    expect(Number(row.cost_pico_usd)).toBeGreaterThan(price);
    expect(Number(row.cost_pico_usd)).toBeLessThan(price + 1_000_000_000);
  });

  test('has what each provider took that was asked for it', async () => {
    const user = await subscriber();
    await app.gemini.scenario('no-headers', { times: 1 });
    const { id, usage } = await ask(user, { model: DOUBLE });
    const { uses, ...row } = await costOf(id);
    expect(row).toMatchObject({ upstream_model: 'deepseek-chat', is_estimate: true, unknown: [] });
    expect(uses).toMatchObject([
      { model: 'gemini-3.8-flash', outputTokens: 0, isEstimate: true },
      { model: 'deepseek-chat', outputTokens: usage?.outputTokens, isEstimate: false },
    ]);
    expect(Number(row.input_tokens)).toBeGreaterThan(usage?.inputTokens ?? 0);
  });

  test('of an API request is recorded as one', async () => {
    const { client, user } = await apiUser(app);
    await client.chat.completions.create({ model: FLASH, messages: [{ role: 'user', content: 'Hello' }] });
    const [row] = await app.database.database.sql`
      select features, kind from provider_costs where user_id = ${user.userId}`;
    expect(row).toEqual({ features: ['api'], kind: 'answer' });
  });

  test('has the title that was written for it beside it, and stays when the conversation goes', async () => {
    const user = await app.signedIn();
    const { id, conversationId } = await ask(user, { content: 'How do I write a good weekly report?' });
    await vi.waitFor(async () => expect(await costsOf(id)).toHaveLength(2), PATIENT);
    const rows = await costsOf(id);
    expect(rows).toMatchObject([
      { kind: 'answer', plan_key: null },
      { kind: 'title', credits: 0, upstream_model: FLASH, unknown: [] },
    ]);
    await app.database.database.sql`delete from messages where conversation_id = ${conversationId}`;
    expect(await costsOf(id)).toEqual(rows);
  });

  test('is estimated for a process that is gone, by what the log has and what came before', async () => {
    const user = await app.signedIn();
    const first = await ask(user, { content: 'Hello' });
    await app.gemini.pace({ ttftMs: 2, gapMs: 10, jitter: 0 });
    const content = '/emulate never-ends';
    const { id } = await send(user, { conversationId: first.conversationId, parentId: first.id, content });
    await vi.waitFor(async () => {
      const cost = (await composeInterruptedCosts(app.deps, [id])).get(id);
      const least = estimateTokens('Hello') + estimateTokens(first.response) + estimateTokens(content);
      expect(cost).toMatchObject({ input_tokens: least, is_estimate: true, unknown: [] });
      expect(cost?.output_tokens).toBeGreaterThan(0);
    }, PATIENT);
    await user.post(`/api/messages/${id}/stop`, {});
    await waitForEnd(user, id);
    expect(await composeInterruptedCosts(app.deps, [id])).toEqual(new Map([[id, composeUnknownCost([])]]));
  });
});
