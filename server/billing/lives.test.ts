import { describe, expect, it } from 'vitest';
import type { Delivery } from '#test/lives/fates.ts';
import { type Circumstances, isEndOf, liveThrough, type Sample } from '#test/lives/live-through.ts';
import { LIVES } from '#test/lives/lives.ts';
import { inTurn, runs, timeoutFor } from '#test/runs.ts';

/** How often each life is run with webhooks that come by chance. */
const RUNS = runs(1);

function samplesOf(delivery: Delivery, runs: number): Sample[] {
  return LIVES.flatMap((life) =>
    life.providers.flatMap((provider) =>
      Array.from({ length: runs }, (_, run) => ({ life, provider, delivery, seed: run + 1 })),
    ),
  );
}

async function expectEnds(samples: readonly Sample[], circumstances: Circumstances = {}) {
  const lived = await liveThrough(samples, circumstances);
  expect(lived).toHaveLength(samples.length);
  const wrong = lived.filter(({ end, life }) => !isEndOf(life, end));
  expect(wrong.map(({ life, ...rest }) => ({ life: life.name, ...rest, expected: life.end }))).toEqual([]);
}

/** A way has every eighth life, by chance every fourth; in the long run each way has all. In every order `lives.property.test.ts` tries them. */
const TURNS = 8;

describe('whole lives at the whole server, over HTTP', { timeout: timeoutFor(300_000) }, () => {
  it('come to their ends when every webhook is in time and no list is read', async () => {
    await expectEnds(inTurn(samplesOf('in time', 1), 0, TURNS), { isLookedAt: false });
  });

  it('come to their ends without any webhook, by asking alone', async () => {
    await expectEnds(inTurn(samplesOf('not at all', 1), 1, TURNS));
  });

  it('come to their ends with webhooks lost, doubled, late and in any order', async () => {
    await expectEnds(inTurn(samplesOf('by chance', RUNS), 0, TURNS / 2));
  });

  it('come to their ends when the providers answer no question until all is over', async () => {
    await expectEnds(inTurn(samplesOf('by chance', RUNS), 2, TURNS), { isSilent: true });
  });
});
