import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SseHandlers, SseStream } from '#server/platform/sse.ts';
import { type ComputerApp, createComputerApp, sendTask, waitForTask } from '#test/computer/computer.ts';
import { click } from '#test/computer/played-model.ts';
import { selectFrame, upsertFrame } from '../runs/frame-store.ts';
import { followScreen } from './follow-screen.ts';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
beforeEach(() => app.reset());
afterAll(() => app.close());

/** A reader of the screen of a run. */
function read(id: string) {
  const frames: string[] = [];
  let isOpen = true;
  followScreen(app.deps, id, () => ({
    write: (frame) => frames.push(String(frame)) > 0,
    isInFrame: false,
    end() {
      isOpen = false;
    },
    get isOpen() {
      return isOpen;
    },
  }));
  const states = () => frames.flatMap((frame) => /"state":"(\w+)"/.exec(frame)?.[1] ?? []);
  return { frames, states, isOpen: () => isOpen };
}

test('a reader who comes before the run does follows it from its beginning', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null }));
  const { sql } = app.database.database;
  app.model.play([click()], 'never');
  const { id, reader } = await sql.begin(async (tx) => {
    await tx`lock table computer_runs in share mode`;
    const sent = await sendTask(user);
    const early = read(sent.id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([early.states(), early.isOpen()]).toEqual([[], true]);
    return { id: sent.id, reader: early };
  });
  await expect.poll(() => app.model.asked.length).toBe(2);
  await expect.poll(reader.states).toContain('running');
  app.host.sendFrame(id, 'picture');
  await expect.poll(() => reader.frames.join()).toContain('"jpeg":"picture"');
  await user.post(`/api/messages/${id}/stop`);
  await waitForTask(user, id);
  await expect.poll(reader.isOpen).toBe(false);
  expect(reader.states().at(-1)).toBe('ended');
});

test('a reader of a message that drives no browser any more is told so at once', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null }));
  app.model.play([click()]);
  const { id } = await sendTask(user);
  await waitForTask(user, id);
  const reader = read(id);
  await expect.poll(reader.states).toEqual(['ended']);
  expect(reader.isOpen()).toBe(false);
});

test('a reader who was too slow for some pictures gets the last of them', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null }));
  app.model.play([click()], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  const seen: string[] = [];
  let isSlow = false;
  let handlers: SseHandlers = {};
  const stream: SseStream = {
    write(frame) {
      const jpeg = /"jpeg":"([^"]+)"/.exec(String(frame))?.[1];
      if (jpeg) seen.push(jpeg);
      return !isSlow;
    },
    isInFrame: false,
    end: () => {},
    isOpen: true,
  };
  followScreen(app.deps, id, (given) => {
    handlers = given;
    return stream;
  });
  const here: string[] = [];
  app.deps.computer.find(id)?.screen.watch((jpeg) => here.push(jpeg));
  isSlow = true;
  for (const jpeg of ['one', 'two', 'three']) app.host.sendFrame(id, jpeg);
  await expect.poll(() => seen).toEqual(['one']);
  app.host.sendFrame(id, 'four');
  await expect.poll(() => here).toContain('four');
  expect(seen).toEqual(['one']);
  isSlow = false;
  handlers.onDrain?.();
  expect(seen).toEqual(['one', 'four']);
  handlers.onDrain?.();
  expect(seen).toEqual(['one', 'four']);
  handlers.onClose?.();
  await user.post(`/api/messages/${id}/stop`);
  await waitForTask(user, id);
});

test('a picture is newer than the last one, also where a crash of the database took that away', async () => {
  const user = await app.pro();
  const { sql } = app.database.database;
  app.model.play('never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(1);
  for (const jpeg of ['one', 'two', 'three']) await upsertFrame(sql, id, jpeg);
  const last = (await selectFrame(sql, id, 0))?.n ?? 0;
  await sql`delete from computer_frames where message_id = ${id}`;
  await sleep(10);
  await upsertFrame(sql, id, 'four');
  expect(await selectFrame(sql, id, last)).toMatchObject({ jpeg: 'four' });
  await user.post(`/api/messages/${id}/stop`);
  await waitForTask(user, id);
});
