import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { Popups } from './popups.ts';

async function start() {
  const session = Object.assign(new EventEmitter(), {
    send: async (method: string, { targetId }: { targetId?: string } = {}) => {
      if (method === 'Target.closeTarget') session.emit('Target.targetDestroyed', { targetId });
    },
  });
  const followed: string[] = [];
  let tooMany = 0;
  const popups = new Popups({
    session: session as unknown as CDPSession,
    own: () => 'own',
    follow: async (url) => void followed.push(url),
    onTooMany: () => {
      tooMany += 1;
    },
  });
  await popups.start();
  const open = (targetId: string) =>
    session.emit('Target.targetCreated', { targetInfo: { type: 'page', targetId } });
  return { popups, open, followed, tooMany: () => tooMany };
}

it('any number of tabs may be opened one after the other', async () => {
  const { popups, open, followed, tooMany } = await start();
  for (let n = 0; n < 120; n += 1) {
    open(`t${n}`);
    popups.wants(`t${n}`, `http://shop.test/${n}`);
    expect(await popups.gone()).toBe(true);
    expect(popups.has(`t${n}`)).toBe(false);
  }
  expect([followed.length, tooMany()]).toEqual([120, 0]);
});

it('fifty tabs may be open at once, and no more', async () => {
  const { open, tooMany } = await start();
  for (let n = 0; n < 50; n += 1) open(`t${n}`);
  expect(tooMany()).toBe(0);
  open('one-more');
  expect(tooMany()).toBe(1);
});
