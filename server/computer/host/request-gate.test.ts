import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import { Questions } from './questions.ts';
import { RequestGate } from './request-gate.ts';

it('a run reaches a thousand hosts and no more', async () => {
  const answered: string[] = [];
  const session = Object.assign(new EventEmitter(), {
    send: async (method: string) => answered.push(method),
  });
  const gate = new RequestGate({
    session: session as unknown as CDPSession,
    ...{ allowed: new Set(['example.com']), testHosts: {}, find: async () => 'public' },
    popups: { has: () => false, wants: () => undefined },
    questions: new Questions('run', () => undefined),
  });
  await gate.start();
  const ask = (n: number) => {
    const request = { url: `https://n${n}.example.com/`, method: 'GET', headers: {} };
    session.emit('Fetch.requestPaused', { requestId: `${n}`, frameId: 'f', resourceType: 'Image', request });
  };
  for (let n = 0; n <= 1_000; n += 1) ask(n);
  ask(7);
  await vi.waitFor(() => expect(answered).toHaveLength(1_003));
  const count = (method: string) => answered.filter((each) => each === method).length;
  expect([count('Fetch.continueRequest'), count('Fetch.failRequest')]).toEqual([1_001, 1]);
  expect([
    gate.mayReach('n999.example.com', 443, true),
    gate.mayReach('n1000.example.com', 443, true),
  ]).toEqual([true, false]);
});
