import { setTimeout as sleep } from 'node:timers/promises';
import { ASKS } from './ask.ts';
import type { Load, LoadResult } from './measured-answer.ts';
import { openWire } from './wire.ts';

/** One connection for all, each answer after the other. */
async function runInTurn(load: Load): Promise<LoadResult> {
  const wire = openWire(load.url);
  const answers: LoadResult['answers'] = [];
  for (const cookie of load.cookies) answers.push(await ASKS[load.target](wire, load, cookie));
  wire.close();
  return { answers, wireBytes: wire.bytesRead };
}

/** A connection for each, opened when its turn comes. */
async function runSpread(load: Load, spreadMs: number): Promise<LoadResult> {
  let wireBytes = 0;
  const answers = load.cookies.map(async (cookie, index) => {
    await sleep((index * spreadMs) / load.cookies.length);
    const wire = openWire(load.url);
    const answer = await ASKS[load.target](wire, load, cookie);
    wireBytes += wire.bytesRead;
    wire.close();
    return answer;
  });
  return { answers: await Promise.all(answers), wireBytes };
}

process.on('message', (load: Load) => {
  const running = load.spreadMs === null ? runInTurn(load) : runSpread(load, load.spreadMs);
  running.then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
