import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, send, waitForEnd } from '#test/chat/chat.ts';

const MODEL = 'gemini-2.5-flash-lite';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => app.gemini.reset());
afterAll(() => app.close());

/** The value of a series of `/metrics`; 0 without it. */
async function read(series: string): Promise<number> {
  const text = await (await app.visit().get('/metrics')).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** How often a gauge could not be read. */
async function gaugeFailures(): Promise<number> {
  const text = await (await app.visit().get('/metrics')).text();
  expect(text).toContain('parley_gauge_failures_total');
  const counts = [...text.matchAll(/^parley_gauge_failures_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** By how much each series grew while `act` went on. */
async function growthOf(series: string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(series.map(read));
  await act();
  const after = await Promise.all(series.map(read));
  return after.map((value, index) => value - (before[index] ?? 0));
}

describe('the operator sees in the metrics', () => {
  it('answers by outcome, and how long the first text took', async () => {
    const user = await app.signedIn();
    const series = [
      `parley_answers_total{model="${MODEL}",outcome="completed"}`,
      `parley_first_text_seconds_count{model="${MODEL}"}`,
      `parley_upstream_calls_total{model="${MODEL}",outcome="ok"}`,
    ];
    expect(await growthOf(series, () => ask(user))).toEqual([1, 1, 1]);
  });

  it('an answer that failed by its cause, and each call before it', async () => {
    const user = await app.signedIn();
    await app.gemini.scenario('bad-key');
    const series = [
      `parley_answers_total{model="${MODEL}",outcome="upstream_failed"}`,
      `parley_upstream_errors_total{kind="auth",model="${MODEL}"}`,
      `parley_upstream_calls_total{model="${MODEL}",outcome="auth"}`,
      `parley_first_text_seconds_count{model="${MODEL}"}`,
    ];
    expect(await growthOf(series, () => ask(user))).toEqual([1, 1, 1, 0]);
  });

  it('calls that failed and were saved by another try', async () => {
    const user = await app.signedIn();
    await app.gemini.scenario('http-503', { times: 1 });
    const series = ['overloaded', 'ok'].map(
      (outcome) => `parley_upstream_calls_total{model="${MODEL}",outcome="${outcome}"}`,
    );
    expect(await growthOf(series, () => ask(user))).toEqual([1, 1]);
  });

  it('what is held for messages that run, and for how long', async () => {
    const user = await app.signedIn();
    await app.gemini.scenario('silent');
    const message = await send(user);
    const held = ['parley_holds', 'parley_held_credits'];
    await expect.poll(() => Promise.all(held.map(read))).toEqual([1, message.quote?.max]);
    await expect.poll(() => read('parley_holds_oldest_seconds')).toBeGreaterThan(0);
    await user.post(`/api/messages/${message.id}/stop`, {});
    await waitForEnd(user, message.id);
    expect(await Promise.all([...held, 'parley_holds_oldest_seconds'].map(read))).toEqual([0, 0, 0]);
    expect(await read(`parley_answers_total{model="${MODEL}",outcome="stopped"}`)).toBe(1);
  });

  it('the queues, the pool and the event loop of a process', async () => {
    await expect.poll(() => read('parley_database_wait_seconds_count')).toBeGreaterThan(0);
    const text = await (await app.visit().get('/metrics')).text();
    for (const series of [
      'parley_tasks_due{queue="projections"}',
      'parley_tasks_due{queue="reading files"}',
      'parley_database_connections{state="active"}',
      'parley_nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toContain(`\n${series} `);
    expect(await read('parley_database_connections{state="active"}')).toBeGreaterThan(0);
  });

  it('every gauge without a failure', async () => {
    // A slow machine may read one too late, but not at each scrape.
    await expect.poll(async () => (await gaugeFailures()) - (await gaugeFailures())).toBe(0);
  });
});
