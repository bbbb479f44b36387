import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLog } from '../log.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { backoffMs, type Worker } from './worker.ts';

const log = createLog('silent');
const BEAT_MS = 20;

let home: TestDatabase;
let jobs: Jobs;
beforeAll(async () => {
  home = await createTestDatabase();
  await home.database
    .sql`create table task (queue text, number int, due_at timestamptz not null default now())`;
});
beforeEach(async () => {
  await home.database.sql`truncate task`;
  jobs = createJobs(home.database, log, { beatMs: BEAT_MS });
});
afterEach(() => jobs.stop());
afterAll(() => home.drop());

const due = (queue: string) => home.database.sql`
  from task where queue = ${queue} and due_at <= now() order by due_at, number`;

async function add(queue: string, numbers: number[], dueAt = 'now') {
  await home.database.sql`
    insert into task select ${queue}, number, ${dueAt}::text::timestamptz from unnest(${numbers}::int[]) number`;
}

/** A queue of numbers in the table; a task ends when it is released. */
function startQueue(queue: string, slots = 2, on = jobs) {
  const begun: number[] = [];
  const open = new Map<number, PromiseWithResolvers<void>>();
  let leases = 0;
  let fails = 0;
  const worker: Worker = on.startWorker({
    name: queue,
    slots,
    due: () => due(queue),
    async lease(limit) {
      leases += 1;
      if (fails > 0) {
        fails -= 1;
        throw new Error('no table');
      }
      const rows = await home.database.sql<{ number: number }[]>`
        delete from task where queue = ${queue} and number in (select number ${due(queue)} limit ${limit}) returning number`;
      return rows.map(({ number }) => number).sort();
    },
    work(task: number) {
      begun.push(task);
      const end = Promise.withResolvers<void>();
      open.set(task, end);
      return end.promise;
    },
  });
  return {
    ...{ worker, begun },
    leases: () => leases,
    end: (task: number) => open.get(task)?.resolve(),
    fail: (task: number) => open.get(task)?.reject(new Error('broken')),
    failLeases: (count: number) => {
      fails = count;
    },
  };
}

/** Jobs that do what they are woken for and nothing else. */
const beatless = () => createJobs(home.database, log, { beatMs: 60_000 });

describe('a worker', () => {
  it('fills its slots at once when woken, and one slow task takes no more than its own', async () => {
    const { worker, begun, end } = startQueue('slow', 2, beatless());
    await add('slow', [1, 2, 3, 4]);
    worker.wake();
    await expect.poll(() => begun).toEqual([1, 2]);
    end(2);
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    end(3);
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    end(1);
    end(4);
  });

  it('begins what is due when nobody wakes it, and after it could not look', async () => {
    const { begun, end, failLeases } = startQueue('unwoken');
    failLeases(2);
    await add('unwoken', [1]);
    await expect.poll(() => begun).toEqual([1]);
    end(1);
  });

  it('goes on after a task that failed', async () => {
    const { begun, end, fail } = startQueue('failing', 1);
    await add('failing', [1, 2]);
    await expect.poll(() => begun).toEqual([1]);
    fail(1);
    await expect.poll(() => begun).toEqual([1, 2]);
    end(2);
  });

  it('misses no wake that comes while it looks', async () => {
    const { worker, begun, end, leases } = startQueue('awake', 2, beatless());
    worker.wake();
    await expect.poll(leases).toBe(1);
    const added = add('awake', [1]);
    worker.wake();
    await added;
    worker.wake();
    await expect.poll(() => begun).toEqual([1]);
    end(1);
  });

  it('stops by waiting for what is under way and taking nothing new', async () => {
    const { worker, begun, end } = startQueue('stopped', 1);
    await add('stopped', [1]);
    await expect.poll(() => begun).toEqual([1]);
    await add('stopped', [2]);
    let isStopped = false;
    const stopping = jobs.stop().then(() => {
      isStopped = true;
    });
    worker.wake();
    await sleep(3 * BEAT_MS);
    expect([isStopped, begun]).toEqual([false, [1]]);
    end(1);
    await stopping;
    expect(begun).toEqual([1]);
  });
});

describe('the beat', () => {
  it('starts what is due and nothing else', async () => {
    const [one, other] = [startQueue('one'), startQueue('other')];
    await add('other', [7], 'tomorrow');
    await add('one', [1]);
    await expect.poll(() => one.begun).toEqual([1]);
    one.end(1);
    await add('one', [2]);
    await expect.poll(() => one.begun).toEqual([1, 2]);
    one.end(2);
    expect(other.leases()).toBe(0);
    await home.database.sql`update task set due_at = now() where queue = 'other'`;
    await expect.poll(() => other.begun).toEqual([7]);
    other.end(7);
  });

  it('does work that is due once at a time, and again after a failure', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    jobs.whenDue(
      'clearing',
      () => due('clear'),
      async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(3 * BEAT_MS);
        running -= 1;
        done += 1;
        if (done === 1) throw new Error('broken');
        await home.database.sql`delete from task where queue = 'clear'`;
      },
    );
    await sleep(3 * BEAT_MS);
    expect(done).toBe(0);
    await add('clear', [1, 2]);
    await expect.poll(() => done).toBe(2);
    await sleep(3 * BEAT_MS);
    expect([most, done]).toEqual([1, 2]);
  });

  it('goes on after a statement that failed', async () => {
    let isBroken = true;
    const { sql } = home.database;
    jobs.whenDue(
      'broken at first',
      () => (isBroken ? sql`from no_such_table` : sql`from task where false`),
      async () => {},
    );
    const { begun, end } = startQueue('later');
    await add('later', [1]);
    await sleep(3 * BEAT_MS);
    expect(begun).toEqual([]);
    isBroken = false;
    await expect.poll(() => begun).toEqual([1]);
    end(1);
  });

  it('knows each job by its own name', () => {
    startQueue('same');
    expect(() => startQueue('same')).toThrow('two jobs are called same');
  });
});

it('what is due and not begun is counted by queue, a thousand at most, and each beat is timed', async () => {
  const beats: number[] = [];
  const timed = createJobs(home.database, log, { beatMs: BEAT_MS, onBeat: (seconds) => beats.push(seconds) });
  const { sql } = home.database;
  for (const name of ['full', 'short', 'empty'])
    timed.whenDue(
      name,
      () => due(name),
      () => new Promise(() => {}),
    );
  await add(
    'full',
    Array.from({ length: 1_002 }, (_, n) => n),
  );
  await add('short', [1, 2]);
  await add('short', [3], 'tomorrow');
  expect(await timed.countDue()).toEqual(
    new Map([
      ['full', 1_000],
      ['short', 2],
      ['empty', 0],
    ]),
  );
  await sql`truncate task`;
  await expect.poll(() => beats.length).toBeGreaterThan(1);
  for (const seconds of beats) expect(seconds).toBeGreaterThan(0);
  await timed.stop();
});

it('what is repeated hourly is done a minute after the start, and each hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
  const done: string[] = [];
  const hourly = createJobs(home.database, log);
  try {
    hourly.repeat('hourly', 3_600_000, async () => done.push('hourly'));
    hourly.repeat('each half minute', 30_000, async () => done.push('half'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done.toSorted()).toEqual(['half', 'half', 'hourly']);
    await vi.advanceTimersByTimeAsync(3_600_000 - 60_000);
    expect(done.filter((name) => name === 'hourly')).toHaveLength(2);
  } finally {
    await hourly.stop();
    vi.useRealTimers();
  }
});

it('backoff doubles from the first pause up to the longest', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map((tries) => backoffMs(tries, 1_000, 10_000))).toEqual([
    1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
});
