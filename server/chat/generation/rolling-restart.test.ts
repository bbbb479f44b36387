import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, endOf, textOf } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { openEvents, type ReceivedEvent } from '#test/events.ts';
import { IS_LONG, timeoutFor } from '#test/runs.ts';
import { type ServerProgram, startServer } from '#test/server-program.ts';

const SERVERS = 3;
const ANSWERS = 300;
const GRANTED = 2_000;
const PRICE = 8;
const [LONG, SHORT] = [workOf(40), workOf(5)];
/** How long a balancer goes on sending to a server that was told to stop. */
const NOTICED_MS = 200;

function workOf(seconds: number) {
  return { ttftMs: 50, tokens: seconds * 5, gapMs: 200, text: 'word ' };
}

let home: TestApp;
beforeAll(async () => {
  home = await createTestApp();
});
afterAll(() => home.close());

const start = () => startServer(home, { SHUTDOWN_DEADLINE_MS: '310000' });

/** Servers behind a balancer: each call gets the next one. */
function balance(servers: ServerProgram[]) {
  let turn = 0;
  return (user: TestClient): TestClient => {
    turn += 1;
    const server = servers[turn % servers.length];
    if (!server) throw new Error('there is no server');
    return server.at(user);
  };
}
type Balancer = ReturnType<typeof balance>;

/** Sends one message under one id until a server takes it, as a browser does. */
async function deliver(user: TestClient, through: Balancer): Promise<string> {
  const message = draft();
  for (;;) {
    const response = await through(user)
      .post('/api/messages', message)
      .catch(() => null);
    if (response?.ok) return message.id;
    if (response) expect(response.status).toBe(503);
    await sleep(50);
  }
}

/** All events of an answer, read on at another server whenever a stream ends early. */
async function follow(user: TestClient, id: string, through: Balancer): Promise<ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  while (received.at(-1)?.event !== 'end') {
    const last = received.at(-1)?.id ?? null;
    const options = last === null ? {} : { after: last };
    const events = await openEvents(through(user), `/api/messages/${id}/events`, options).catch(() => null);
    await (events?.ended ?? sleep(50));
    received.push(...(events?.received ?? []));
  }
  return received;
}

function expectWhole(events: ReceivedEvent[], { text, tokens }: typeof LONG) {
  expect(textOf(events)).toBe(text.repeat(tokens));
  expect(endOf(events)).toMatchObject({ status: 'completed', creditsUsed: PRICE });
}

/** Asks one short question after the other while `goesOn`; returns how many. */
async function keepAsking(user: TestClient, through: Balancer, goesOn: () => boolean): Promise<number> {
  let asked = 0;
  for (; goesOn(); asked += 1) expectWhole(await follow(user, await deliver(user, through), through), SHORT);
  return asked;
}

/** Replaces each in turn while it answers; returns how they ended, and how many answers each had when it was told to stop. */
async function replaceAll(servers: ServerProgram[]) {
  const old = [...servers];
  for (const [place, server] of old.entries()) {
    const next = await start();
    server.program.process.kill('SIGTERM');
    await sleep(NOTICED_MS);
    servers[place] = next;
  }
  const running = old.map(async ({ program }) => {
    const line = await program.line((text) => text.includes('"stopping"'));
    return (JSON.parse(line) as { runningAnswers: number }).runningAnswers;
  });
  return {
    running: await Promise.all(running),
    ends: Promise.all(old.map(({ program }) => program.ended)),
  };
}

test.runIf(IS_LONG)(
  `while ${SERVERS} servers are replaced in turn none of ${ANSWERS} answers at once is lost, cut or charged twice`,
  async () => {
    const { sql } = home.database.database;
    const users = await Promise.all(Array.from({ length: ANSWERS }, () => home.signedIn()));
    const ids = users.map(({ userId }) => userId);
    await sql`
      select credit.grant_credits(id, 'adjustment', 'rolling', null, null, ${GRANTED}, now(), now() + interval '1 day',
        'adjustment', null) from unnest(${ids}::uuid[]) as id`;
    const servers = await Promise.all(Array.from({ length: SERVERS }, start));
    const through = balance(servers);
    const [patient, brisk] = [users.slice(0, ANSWERS / 2), users.slice(ANSWERS / 2)];
    await home.gemini.work(LONG);
    const long = await Promise.all(
      patient.map(async (user) => [user, await deliver(user, through)] as const),
    );
    const reading = Promise.all(long.map(([user, id]) => follow(user, id, through)));
    await expect.poll(async () => (await home.gemini.requests()).length).toBe(long.length);

    await home.gemini.work(SHORT);
    let isOver = false;
    const asking = Promise.all(brisk.map((user) => keepAsking(user, through, () => !isOver)));
    const begun = performance.now();
    const { running, ends } = await replaceAll(servers);
    const seconds = ends.then(() => (performance.now() - begun) / 1_000);
    isOver = true;
    for (const answers of running) expect(answers).toBeGreaterThan(0);
    const asked = await asking;
    for (const events of await reading) expectWhole(events, LONG);
    expect(await ends).toEqual(Array(SERVERS).fill(0));

    const count = long.length + asked.reduce((sum, one) => sum + one, 0);
    expect(await sql`select status, count(*)::int from messages group by status`).toEqual([
      { status: 'completed', count },
    ]);
    expect(await sql`select state, count(*)::int from credit.hold group by state`).toEqual([
      { state: 'settled', count },
    ]);
    expect(await sql`select * from credit.drift`).toEqual([]);
    for (const [place, user] of brisk.entries())
      expect(await creditsOf(user)).toBe(40 + GRANTED - PRICE * (asked[place] ?? 0));
    for (const { program } of servers) program.process.kill('SIGTERM');
    await Promise.all(servers.map(({ program }) => program.ended));
    process.stdout.write(
      `rolling restart under ${ANSWERS} answers: ${count} messages complete, ${running.join(', ')} answers running at the stop of each server, the last one ended after ${(await seconds).toFixed(1)} s\n`,
    );
  },
  timeoutFor(120_000),
);
