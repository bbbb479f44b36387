import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestClient } from '#test/client.ts';
import {
  COMPUTER_MODEL,
  type ComputerApp,
  createComputerApp,
  readTask,
  sendTask,
  waitForTask,
} from '#test/computer/computer.ts';
import { click } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
beforeEach(() => app.reset());
afterAll(() => app.close());

/** What the catalogue says of the model that drives browsers. */
async function shownTo(client: TestClient): Promise<string | null | undefined> {
  const { models } = (await (await client.get('/api/catalogue')).json()) as {
    models: { id: string; computer: string | null }[];
  };
  return models.find(({ id }) => id === COMPUTER_MODEL)?.computer;
}

test('where a host does not prove its walls the catalogue says words, and so does each answer, until it does', async () => {
  app.host.walls = 'off';
  const beside = await app.openBeside();
  await beside.deps.computer.start();
  const client = beside.visit({ cookie: (await app.pro()).cookie });
  expect(await shownTo(client)).toBe('words');
  const sent = await sendTask(client);
  expect(sent).toMatchObject({ cost: 15, computer: 'words' });
  const events = await openEvents(client, `/api/messages/${sent.id}/events`);
  await events.ended;
  expect(events.received).toContainEqual({ id: 1, event: 'notice', data: { code: 'computer_words' } });
  const worded = { status: 'completed', creditsUsed: 15, computer: 'words' };
  expect(await readTask(client, sent.id)).toMatchObject(worded);
  expect(app.host.requests).toEqual([]);
  app.host.walls = 'ready';
  await beside.deps.computer.start();
  expect(await shownTo(client)).toBe('browser');
  await beside.close();
});

test('a host that finds no walls when a browser is to open fails the run free of charge, and the next one is words', async () => {
  const user = await app.pro();
  expect(await shownTo(user)).toBe('browser');
  app.host.walls = 'off';
  app.model.play([click()]);
  const failed = await waitForTask(user, (await sendTask(user)).id);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'browser_failed' }, creditsUsed: 0 });
  expect(app.model.asked).toEqual([]);
  expect(await shownTo(user)).toBe('words');
  app.model.play([{ text: 'In words.' }]);
  const next = await waitForTask(user, (await sendTask(user)).id);
  expect(next).toMatchObject({ status: 'completed', response: 'In words.', computer: 'words' });
  const { credits } = (await (await user.get('/api/me')).json()) as { credits: number };
  expect(credits).toBe(25);
  await expectNoDrift(app.database.database.sql, user.userId);
});
