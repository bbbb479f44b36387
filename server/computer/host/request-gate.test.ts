import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import type { HostEvent } from './protocol.ts';
import { Questions } from './questions.ts';
import { RequestGate } from './request-gate.ts';

async function start() {
  const sent: [method: string, requestId: unknown][] = [];
  const session = Object.assign(new EventEmitter(), {
    send: async (method: string, { requestId }: { requestId?: string } = {}) =>
      sent.push([method, requestId]),
  });
  const told: HostEvent[] = [];
  const questions = new Questions('run', (event) => told.push(event));
  const gate = new RequestGate({
    session: session as unknown as CDPSession,
    ...{ allowed: new Set(['example.com']), testHosts: {}, find: async () => 'public', questions },
    popups: { has: () => false, wants: () => undefined },
  });
  await gate.start();
  gate.watchTab(session as unknown as CDPSession, 'main');
  sent.length = 0;
  const pause = (requestId: string, url: string, resourceType: string, frameId = 'main') => {
    const request = { url, method: 'GET', headers: {} };
    session.emit('Fetch.requestPaused', { requestId, frameId, resourceType, request });
  };
  return { gate, questions, sent, told, pause };
}

it('a run reaches a thousand hosts and no more', async () => {
  const { gate, sent, pause } = await start();
  const ask = (n: number) => pause(`${n}`, `https://n${n}.example.com/`, 'Image');
  for (let n = 0; n <= 1_000; n += 1) ask(n);
  ask(7);
  await vi.waitFor(() => expect(sent).toHaveLength(1_002));
  const count = (method: string) => sent.filter(([each]) => each === method).length;
  expect([count('Fetch.continueRequest'), count('Fetch.failRequest')]).toEqual([1_001, 1]);
  expect([
    gate.mayReach('n999.example.com', 443, true),
    gate.mayReach('n1000.example.com', 443, true),
  ]).toEqual([true, false]);
});

it('a question is over once its tab goes somewhere else, and counts as no answer of its user', async () => {
  const { questions, sent, told, pause } = await start();
  const asked = () => told.filter((event) => event.event === 'asked');
  const overs = () => told.flatMap((event) => (event.event === 'withdrawn' ? event.askId : []));
  pause('one', 'https://one.example/', 'Document');
  await vi.waitFor(() => expect(asked()).toMatchObject([{ site: 'one.example' }]));
  pause('two', 'https://two.example/', 'Document');
  await vi.waitFor(() => expect(asked()).toMatchObject([{}, { site: 'two.example' }]));
  expect(overs()).toEqual([asked()[0]?.askId]);
  await vi.waitFor(() => expect(sent).toEqual([['Fetch.failRequest', 'one']]));
  expect(questions.answer(asked()[0]?.askId ?? '', true)).toBe(true);
  expect(questions.takeDenied()).toBeNull();
  pause('picture', 'https://example.com/a.png', 'Image');
  pause('frame', 'https://example.com/', 'Document', 'frame');
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(overs()).toHaveLength(1);
  pause('blob', 'blob:https://example.com/a', 'Document');
  await vi.waitFor(() => expect(overs()).toEqual(asked().map(({ askId }) => askId)));
  expect(questions.isWaiting).toBe(false);
  for (const site of ['three', 'four', 'one']) pause(site, `https://${site}.example/`, 'Document');
  await vi.waitFor(() => expect(asked().slice(2)).toMatchObject([{ site: 'one.example' }]));
});
