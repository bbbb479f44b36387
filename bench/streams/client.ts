import { setTimeout as sleep } from 'node:timers/promises';
import { ASKS } from './ask.ts';
import type { Load, LoadResult } from './measured-answer.ts';
import { openWire } from './wire.ts';

/** One connection for all, each answer after the other. */
async function runInTurn(load: Load): Promise<LoadResult> {
  const wire = openWire(load.url);
  const answers: LoadResult['answers'] = [];
  for (const credential of load.credentials) answers.push(await ASKS[load.target](wire, load, credential));
  wire.close();
  return { answers, wireBytes: wire.bytesRead };
}

/** A connection for each, opened when its turn comes. */
async function runSpread(load: Load, spreadMs: number): Promise<LoadResult> {
  let wireBytes = 0;
  const answers = load.credentials.map(async (credential, index) => {
    await sleep((index * spreadMs) / load.credentials.length);
    const wire = openWire(load.url);
    const answer = await ASKS[load.target](wire, load, credential);
    wireBytes += wire.bytesRead;
    wire.close();
    return answer;
  });
  return { answers: await Promise.all(answers), wireBytes };
}

/** So many connections at once, a new one for each answer. */
async function runLanes(load: Load, lanes: number): Promise<LoadResult> {
  let wireBytes = 0;
  const answers: LoadResult['answers'] = [];
  const waiting = load.credentials.entries();
  const lane = async () => {
    for (const [index, credential] of waiting) {
      const url = urlOf(load, index);
      const wire = openWire(url);
      answers.push(await ASKS[load.target](wire, { ...load, url }, credential));
      wireBytes += wire.bytesRead;
      wire.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { answers, wireBytes };
}

function urlOf({ url, urls = [url] }: Load, index: number): string {
  return urls[index % urls.length] ?? url;
}

function runLoad(load: Load): Promise<LoadResult> {
  if (load.lanes !== undefined) return runLanes(load, load.lanes);
  return load.spreadMs === null ? runInTurn(load) : runSpread(load, load.spreadMs);
}

process.on('message', (load: Load) => {
  const running = runLoad(load);
  running.then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
