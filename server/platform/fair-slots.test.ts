import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { FairSlots } from './fair-slots.ts';

const never = new AbortController().signal;

test('a free slot goes to whose turn it is among those who wait, and owners take turns', async () => {
  const slots = new FairSlots(2);
  const got: string[] = [];
  const releases: (() => void)[] = [];
  const take = async (name: string) => {
    releases.push(await slots.take(name.slice(0, 1), never));
    got.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(take);
  for (let n = 0; n < all.length; n += 1) {
    await expect.poll(() => releases.length).toBeGreaterThan(n);
    releases[n]?.();
    releases[n]?.();
  }
  await Promise.all(all);
  expect(got).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
});

test('one that gives up leaves its place, and takes no slot', async () => {
  const slots = new FairSlots(1);
  const release = await slots.take('a', never);
  const stop = new AbortController();
  const leaving = slots.take('b', stop.signal);
  const next = slots.take('c', never);
  stop.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  release();
  await expect(next).resolves.toBeInstanceOf(Function);
  await expect(slots.take('a', AbortSignal.abort())).rejects.toThrow();
});

test('one owner has all slots but the last, for whoever comes next', async () => {
  const slots = new FairSlots(3);
  const got: string[] = [];
  const take = async (owner: string) => {
    const release = await slots.take(owner, never);
    got.push(owner);
    return release;
  };
  const [first, , third] = [take('a'), take('a'), take('a')];
  (await take('b'))();
  await take('c');
  expect(got).toEqual(['a', 'a', 'b', 'c']);
  (await first)();
  await third;
  expect(got).toEqual(['a', 'a', 'b', 'c', 'a']);
});

test('whoever takes, gives back and gives up, no owner has too many slots, and all that wait get one', async () => {
  const event = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    does: fc.constantFrom('take', 'give back', 'give up'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(event, { maxLength: 40 }),
      async (limit, events) => {
        const slots = new FairSlots(limit);
        const most = Math.max(1, limit - 1);
        const held: { owner: string; release: () => void }[] = [];
        const waiting = new Map<AbortController, string>();
        const heldBy = (owner: string) => held.filter((one) => one.owner === owner).length;
        const take = (owner: string) => {
          const stop = new AbortController();
          waiting.set(stop, owner);
          const taken = slots.take(owner, stop.signal).then((release) => held.push({ owner, release }));
          return taken.then(
            () => waiting.delete(stop),
            () => waiting.delete(stop),
          );
        };
        const giveBack = (owner: string) => {
          const index = held.findIndex((one) => one.owner === owner);
          if (index >= 0) held.splice(index, 1)[0]?.release();
        };
        const giveUp = (owner: string) => [...waiting].find(([, who]) => who === owner)?.[0].abort();
        const ends: Promise<unknown>[] = [];
        for (const { owner, does } of events) {
          if (does === 'take') ends.push(take(owner));
          else if (does === 'give back') giveBack(owner);
          else giveUp(owner);
          await new Promise(setImmediate);
          expect(held.length).toBeLessThanOrEqual(limit);
          for (const each of ['a', 'b', 'c']) expect(heldBy(each)).toBeLessThanOrEqual(most);
          const couldStart = [...waiting.values()].filter((each) => heldBy(each) < most);
          if (held.length < limit) expect(couldStart).toEqual([]);
        }
        while (held.length > 0) {
          held.shift()?.release();
          await new Promise(setImmediate);
        }
        await Promise.all(ends);
        expect(waiting.size).toBe(0);
      },
    ),
    { numRuns: runs(200) },
  );
});
