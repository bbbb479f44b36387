import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SseHandlers, SseStream } from '#server/platform/sse.ts';
import { type ComputerApp, createComputerApp, sendTask, waitForTask } from '#test/computer/computer.ts';
import { click } from '#test/computer/played-model.ts';
import { followScreen } from './follow-screen.ts';

let app: ComputerApp;
beforeAll(async () => {
  app = await createComputerApp();
});
afterAll(() => app.close());

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
