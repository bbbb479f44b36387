import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { ComputerAct, ComputerState } from '#contract/message/computer.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { SendOptions } from '#contract/message/quotes.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '#test/app.ts';
import type { TestClient } from '#test/client.ts';
import { insertSubscription } from '#test/factories.ts';
import { HOST_TOKEN, type PlayedHost, startPlayedHost } from './played-host.ts';
import { type PlayedModel, startPlayedModel } from './played-model.ts';

export const COMPUTER_MODEL = 'gemini-computer-use';

/** An app whose browser and whose model are played. */
export interface ComputerApp extends TestApp {
  host: PlayedHost;
  model: PlayedModel;
  /** The browser is there and does as it is told from now on, and nothing was asked of it or of the model. */
  reset(): void;
  /** Another process on its database, with the same browser and model; closed before it. `env`: further settings. */
  openBeside(env?: Record<string, string>): Promise<TestApp>;
  /** A user on Pro with 40 credits. */
  pro(): Promise<Awaited<ReturnType<TestApp['signedIn']>>>;
}

/** The settings of a process that drives browsers at a played host. */
export function computerEnv(host: PlayedHost, model: PlayedModel): Record<string, string> {
  return {
    COMPUTER_USE: 'auto',
    COMPUTER_RUNS: '20',
    COMPUTER_HOST: host.address,
    COMPUTER_HOST_TOKEN: HOST_TOKEN,
    COMPUTER_TEST_HOSTS: 'shop.test=127.0.0.1:1,other.test=127.0.0.1:1',
    GEMINI_BASE_URL: model.url,
  };
}

/** Starts it, and waits until it knows that a browser is to be had. */
export async function createComputerApp(options: TestAppOptions = {}): Promise<ComputerApp> {
  const host = await startPlayedHost();
  const model = await startPlayedModel();
  const app = await createTestApp({ ...options, env: { ...computerEnv(host, model), ...options.env } });
  await app.deps.computer.start();
  return {
    ...app,
    host,
    model,
    reset() {
      host.play(() => ({}));
      host.walls = 'ready';
      host.openAfter = Promise.resolve();
      host.showTables([]);
      host.requests.length = 0;
      model.asked.length = 0;
      model.interactions.length = 0;
    },
    openBeside: (env) => createTestApp({ beside: app, env: { ...computerEnv(host, model), ...env } }),
    async pro() {
      const user = await app.signedIn();
      await insertSubscription(app.database.database.sql, user.userId);
      return user;
    },
    async close() {
      await app.close();
      await model.close();
      await host.close();
    },
  };
}

/** Sends a task; it is answered in the background. */
export async function sendTask(
  client: TestClient,
  over: { content?: string; options?: SendOptions; conversationId?: string; parentId?: string | null } = {},
): Promise<Message> {
  const body = {
    ...{ id: randomUUID(), conversationId: randomUUID(), parentId: null, model: COMPUTER_MODEL },
    ...{ content: 'Look at shop.test for me', ...over },
  };
  const answer = await client.post('/api/messages', body);
  expect(answer.status).toBe(201);
  return (await answer.json()) as Message;
}

export async function readTask(client: TestClient, id: string): Promise<Message> {
  return (await (await client.get(`/api/messages/${id}`)).json()) as Message;
}

/** The message once it is over. */
export async function waitForTask(client: TestClient, id: string): Promise<Message> {
  await expect.poll(async () => (await readTask(client, id)).status).not.toBe('running');
  return readTask(client, id);
}

export async function actOn(client: TestClient, id: string, act: ComputerAct) {
  const answer = await client.post(`/api/messages/${id}/computer`, act);
  const body = (await answer.json()) as Partial<ComputerState> & { error?: { code: string } };
  return { status: answer.status, state: body.state, code: body.error?.code };
}

export async function stateOf(client: TestClient, id: string): Promise<ComputerState> {
  return (await (await client.get(`/api/messages/${id}/computer`)).json()) as ComputerState;
}

/** Waits until a run is in a state. */
export async function waitForState(client: TestClient, id: string, state: ComputerState['state']) {
  await expect.poll(async () => (await stateOf(client, id)).state).toBe(state);
}

type Of<Kind> = Extract<AnswerPart, { kind: Kind }>;

export function partsOf<Kind extends AnswerPart['kind']>({ parts }: Message, kind: Kind): Of<Kind>[] {
  return (parts ?? []).filter((part): part is Of<Kind> => part.kind === kind);
}

/** What waits for its user, from the table. */
export async function waitingIn(app: TestApp, messageId: string): Promise<{ id: string; reason: string }> {
  const { sql } = app.database.database;
  const select = () => sql<{ id: string; reason: string }[]>`
    select id, reason from computer_confirmations where message_id = ${messageId} and state = 'waiting'`;
  await expect.poll(async () => (await select()).length).toBe(1);
  const [row] = await select();
  if (!row) throw new Error('nothing waits');
  return row;
}
