import { describe, expect, test } from 'vitest';
import { MAX_INPUT_TEXT } from '#contract/limits.ts';
import type { ComputerInput } from '#contract/message/computer.ts';
import { InputQueue, type InputRefusal, MAX_PASTED_TEXT } from './input-queue.ts';

function slowQueue() {
  const sent: ComputerInput[] = [];
  const release: (() => void)[] = [];
  const refused: InputRefusal[] = [];
  let failures = 0;
  const queue = new InputQueue(
    (input) => {
      sent.push(input);
      return new Promise((resolve, reject) => {
        release.push(input.kind === 'key' && input.key === 'Fail' ? () => reject(new Error()) : resolve);
      });
    },
    () => {
      failures += 1;
    },
    (reason) => refused.push(reason),
  );
  const next = async () => {
    release.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, sent, next, refused, failures: () => failures };
}

describe('what a reader does on a page', () => {
  test('is sent as several texts where it is longer than one may be, and no sign is split', async () => {
    const { queue, sent, next } = slowQueue();
    const pasted = `${'a'.repeat(MAX_INPUT_TEXT - 1)}🙂${'b'.repeat(MAX_INPUT_TEXT)}`;
    queue.add({ kind: 'type', text: pasted });
    for (let n = 0; n < 3; n += 1) await next();
    const texts = sent.map((input) => (input.kind === 'type' ? input.text : ''));
    expect(texts.map(({ length }) => length)).toEqual([MAX_INPUT_TEXT - 1, MAX_INPUT_TEXT, 2]);
    expect(texts.join('')).toBe(pasted);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test('is sent to its last sign where it is as long as may be pasted, and not at all where it is longer', async () => {
    const { queue, sent, next, refused } = slowQueue();
    queue.add({ kind: 'type', text: 'a'.repeat(MAX_PASTED_TEXT + 1) });
    queue.add({ kind: 'type', text: '🙂a'.repeat(MAX_PASTED_TEXT / 3) });
    expect([sent, refused]).toEqual([[], ['text_too_long', 'text_too_long']]);
    queue.add({ kind: 'type', text: 'a'.repeat(MAX_PASTED_TEXT) });
    while (sent.length < MAX_PASTED_TEXT / MAX_INPUT_TEXT) await next();
    const length = sent.reduce((sum, input) => sum + (input.kind === 'type' ? input.text.length : 0), 0);
    expect([length, refused.length]).toEqual([MAX_PASTED_TEXT, 2]);
  });

  test('is refused as a whole where too much waits before it', async () => {
    const { queue, sent, next, refused } = slowQueue();
    queue.add({ kind: 'key', key: 'Enter' });
    queue.add({ kind: 'type', text: 'a'.repeat(MAX_PASTED_TEXT - 1) });
    for (const text of ['b', 'cd', 'e'.repeat(MAX_INPUT_TEXT)]) queue.add({ kind: 'type', text });
    queue.add({ kind: 'key', key: 'Tab' });
    expect(refused).toEqual(['too_many_waiting', 'too_many_waiting', 'too_many_waiting']);
    for (let n = 0; n < 102; n += 1) await next();
    const typed = sent.map((input) => (input.kind === 'type' ? input.text : '')).join('');
    expect(typed).toBe(`${'a'.repeat(MAX_PASTED_TEXT - 1)}b`);
  });

  test('is sent one after the other, letters that wait as one text', async () => {
    const { queue, sent, next } = slowQueue();
    queue.add({ kind: 'click', x: 1, y: 2 });
    for (const text of ['你', '好', '!']) queue.add({ kind: 'type', text });
    queue.add({ kind: 'key', key: 'Enter' });
    queue.add({ kind: 'type', text: 'a' });
    expect(sent).toEqual([{ kind: 'click', x: 1, y: 2 }]);
    await next();
    expect(sent.at(-1)).toEqual({ kind: 'type', text: '你好!' });
    await next();
    await next();
    expect(sent.slice(2)).toEqual([
      { kind: 'key', key: 'Enter' },
      { kind: 'type', text: 'a' },
    ]);
  });

  test('adds up turns of the wheel and keeps the last of moves', async () => {
    const { queue, sent, next } = slowQueue();
    queue.add({ kind: 'click', x: 1, y: 2 });
    for (const dy of [400, 900, 900]) queue.add({ kind: 'scroll', x: 5, y: 5, dx: 0, dy });
    for (const x of [1, 2, 3]) queue.add({ kind: 'move', x, y: 1 });
    await next();
    await next();
    expect(sent.slice(1)).toEqual([
      { kind: 'scroll', x: 5, y: 5, dx: 0, dy: 2_000 },
      { kind: 'move', x: 3, y: 1 },
    ]);
  });

  test('is all sent once nothing waits any more', async () => {
    const { queue, next } = slowQueue();
    await queue.whenSent();
    let isSent = false;
    for (const key of ['a', 'b']) queue.add({ kind: 'key', key });
    void queue.whenSent().then(() => {
      isSent = true;
    });
    await next();
    expect(isSent).toBe(false);
    await next();
    expect(isSent).toBe(true);
  });

  test('ends with one that fails, and goes on with the next that is done', async () => {
    const { queue, sent, next, failures } = slowQueue();
    queue.add({ kind: 'key', key: 'Fail' });
    queue.add({ kind: 'key', key: 'Enter' });
    await next();
    expect([sent.length, failures()]).toEqual([1, 1]);
    queue.add({ kind: 'key', key: 'Tab' });
    expect(sent.at(-1)).toEqual({ kind: 'key', key: 'Tab' });
  });
});
