import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, waitForEnd } from '#test/chat/chat.ts';
import { createClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
import { openUploader } from '../files/uploader.ts';
import { openBuyer } from '../payments/buyer.ts';
import type { Rig } from '../rig.ts';
import { ASKS, MODEL } from '../streams/ask.ts';
import { openWire } from '../streams/wire.ts';

/** What a load has done so far, and what went wrong, in words. */
export interface Done {
  count: number;
  faults: string[];
}

/** After which an act that has not ended is a fault. */
const TIMEOUT_MS = 30_000;
const FILE_BYTES = 100_000;
const BUYERS = ['creem', 'bagelpay'] as const;

/** Asks one question after the other until `until`, each on a connection that now and then is a new one. */
export async function askOn(rig: Rig, cookie: string, until: number): Promise<Done> {
  const load = { target: 'parley', url: rig.url, credentials: [cookie], spreadMs: null } as const;
  return repeat({ until, pauseMs: 0 }, async () => {
    const wire = openWire(rig.url);
    for (let left = 3; left > 0 && performance.now() < until; left -= 1) {
      const { complete, fault } = await ASKS.parley(
        wire,
        { ...load, credentials: [...load.credentials] },
        cookie,
      );
      if (!complete) throw new Error(fault ?? 'the answer ended too early');
    }
    wire.close();
  });
}

/** Signs up, out and in again, looks around and leaves, from a network of its own each time. */
export async function visitOn(rig: Rig, until: number, pauseMs: number): Promise<Done> {
  return repeat({ until, pauseMs }, async () => {
    const headers = { 'x-forwarded-for': someAddress() };
    const client = createClient({ url: rig.url, origin: rig.url, headers });
    const { email, password } = await client.signUp();
    await expectOk(client.post('/api/auth/sign-out'));
    await expectOk(client.post('/api/auth/sign-in/email', { email, password }));
    await expectOk(client.get('/api/me'));
    const live = await openEvents(client, '/api/live');
    live.close();
    await expectOk(client.post('/api/auth/sign-out'));
  });
}

/** Has each of them buy a plan at one provider after the other, by webhook. */
export async function buyOn(rig: Rig, cookies: string[], until: number, pauseMs: number): Promise<Done> {
  let turn = 0;
  return repeat({ until, pauseMs, times: cookies.length }, async () => {
    const cookie = cookies[turn] ?? '';
    const buyer = await openBuyer(rig, cookie);
    const { redirectUrl } = await buyer.order(BUYERS[turn++ % BUYERS.length] ?? 'creem');
    await buyer.pay(redirectUrl);
    buyer.close();
  });
}

/** Uploads a text of 100 kB, waits until it is read, asks a question about it and deletes it. */
export async function uploadOn(rig: Rig, cookie: string, until: number, pauseMs: number): Promise<Done> {
  return repeat({ until, pauseMs }, async () => {
    const uploader = openUploader(rig, cookie);
    const bytes = Buffer.from(randomBytes(FILE_BYTES / 2).toString('hex'));
    const { id } = await uploader.send({ name: 'notes.txt', bytes });
    await uploader.ready(id);
    const message = await send(uploader.client, { model: MODEL.ours, files: [id] });
    const { status } = await waitForEnd(uploader.client, message.id);
    if (status !== 'completed') throw new Error(`an answer about a file is ${status}`);
    await expectOk(uploader.client.request(`/api/files/${id}`, { method: 'DELETE' }));
  });
}

/** Searches the conversations of a user who asks meanwhile. */
export async function searchOn(rig: Rig, cookie: string, until: number, pauseMs: number): Promise<Done> {
  const client = createClient({ url: rig.url, origin: rig.url, cookie });
  return repeat({ until, pauseMs }, () =>
    expectOk(client.get(`/api/conversations/search?q=${encodeURIComponent('潮汐')}`)),
  );
}

interface Turns {
  until: number;
  pauseMs: number;
  times?: number;
}

async function repeat(
  { until, pauseMs, times = Number.POSITIVE_INFINITY }: Turns,
  act: () => Promise<void>,
): Promise<Done> {
  const done: Done = { count: 0, faults: [] };
  for (let left = times; left > 0 && performance.now() < until; left -= 1) {
    try {
      await withinLimit(act());
      done.count += 1;
    } catch (error) {
      done.faults.push(error instanceof Error ? error.message : String(error));
    }
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return done;
}

async function withinLimit(work: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`not done after ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  try {
    await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function expectOk(sent: Promise<Response>): Promise<void> {
  const response = await sent;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
}

/** Any address of the internet: one network a visitor, as limits count them. */
function someAddress(): string {
  return [randomInt(11, 100), randomInt(256), randomInt(256), randomInt(1, 255)].join('.');
}
