import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { backoffMs, startWorker, type Worker } from './jobs.ts';
import { createLog } from './log.ts';

const log = createLog('silent');

/** A worker on a list of numbers; a task ends when it is released. */
function onList(options: { slots?: number; everyMs?: number } = {}) {
  const waiting: number[] = [];
  const begun: number[] = [];
  const open = new Map<number, PromiseWithResolvers<void>>();
  let claims = 0;
  let fails = 0;
  const worker: Worker = startWorker(
    {
      name: 'numbers',
      slots: 2,
      everyMs: 20,
      ...options,
      async lease(limit) {
        claims += 1;
        if (fails > 0) {
          fails -= 1;
          throw new Error('no table');
        }
        return waiting.splice(0, limit);
      },
      work(task) {
        begun.push(task);
        const end = Promise.withResolvers<void>();
        open.set(task, end);
        return end.promise;
      },
    },
    log,
  );
  return {
    ...{ worker, waiting, begun },
    claims: () => claims,
    end: (task: number) => open.get(task)?.resolve(),
    fail: (task: number) => open.get(task)?.reject(new Error('broken')),
    failClaims: (count: number) => {
      fails = count;
    },
  };
}

describe('a worker', () => {
  it('fills its slots at once when woken, and one slow task takes no more than its own', async () => {
    const { worker, waiting, begun, end } = onList({ everyMs: 60_000 });
    await wait(5);
    waiting.push(1, 2, 3, 4);
    worker.wake();
    await expect.poll(() => begun).toEqual([1, 2]);
    end(2);
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    end(3);
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    end(1);
    end(4);
    await worker.stop();
  });

  it('looks by itself when nobody wakes it, and after it could not look', async () => {
    const { worker, waiting, begun, end, failClaims } = onList();
    failClaims(2);
    waiting.push(1);
    await expect.poll(() => begun).toEqual([1]);
    end(1);
    await worker.stop();
  });

  it('goes on after a task that failed', async () => {
    const { worker, waiting, begun, end, fail } = onList({ slots: 1 });
    waiting.push(1, 2);
    await expect.poll(() => begun).toEqual([1]);
    fail(1);
    await expect.poll(() => begun).toEqual([1, 2]);
    end(2);
    await worker.stop();
  });

  it('misses no wake that comes while it looks', async () => {
    const { worker, waiting, begun, claims } = onList({ everyMs: 60_000 });
    await expect.poll(claims).toBe(1);
    worker.wake();
    waiting.push(1);
    worker.wake();
    await expect.poll(() => begun).toEqual([1]);
  });

  it('stops by waiting for what is under way and taking nothing new', async () => {
    const { worker, waiting, begun, end } = onList();
    waiting.push(1);
    await expect.poll(() => begun).toEqual([1]);
    waiting.push(2);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    worker.wake();
    await wait(60);
    expect([isStopped, begun]).toEqual([false, [1]]);
    end(1);
    await stopping;
    expect(begun).toEqual([1]);
  });
});

it('backoff doubles from the first pause up to the longest', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map((tries) => backoffMs(tries, 1_000, 10_000))).toEqual([
    1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
});
