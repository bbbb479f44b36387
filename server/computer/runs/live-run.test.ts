import { expect, test } from 'vitest';
import type { Run } from '#server/chat/generation/run.ts';
import { LiveRun } from './live-run.ts';
import type { RunDeps } from './run-deps.ts';
import type { Control } from './run-store.ts';

/** A run whose row says these, one after the other. */
function createRun(...controls: Control[]): LiveRun {
  const sql = async () => [{ control: controls.shift() }];
  return new LiveRun(
    { database: { sql } } as unknown as RunDeps,
    { message: { id: 'run' } } as Run,
    () => false,
  );
}

test('who asks later whether its user acts is answered later, whatever is read meanwhile', async () => {
  const live = createRun('none', 'taken_over', 'taken_over');
  const answers: string[] = [];
  const ask = async (name: string) => answers.push(`${name} ${await live.isTakenOver()}`);
  // Read before the takeover, and told of it while that is on its way.
  live.wake();
  const first = ask('first');
  live.wake();
  await Promise.all([first, ask('second')]);
  expect(answers).toEqual(['first true', 'second true']);
});
