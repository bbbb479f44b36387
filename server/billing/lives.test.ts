import { describe, expect, it } from 'vitest';
import type { Delivery } from '#test/lives/fates.ts';
import { type Circumstances, isEndOf, liveThrough, type Sample } from '#test/lives/live-through.ts';
import { LIVES } from '#test/lives/lives.ts';
import { IS_LONG, inTurn, runs, timeoutFor } from '#test/runs.ts';

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

describe('whole lives at the whole server, over HTTP', { timeout: timeoutFor(300_000) }, () => {
  it.runIf(IS_LONG)('come to their ends when every webhook is in time and no list is read', async () => {
    await expectEnds(samplesOf('in time', 1), { isLookedAt: false });
  });

  it.runIf(IS_LONG)('come to their ends without any webhook, by asking alone', async () => {
    await expectEnds(samplesOf('not at all', 1));
  });

  // Every fourth life, and all in the long run; in every order `lives.property.test.ts` tries them.
  it.runIf(IS_LONG)('come to their ends with webhooks lost, doubled, late and in any order', async () => {
    await expectEnds(inTurn(samplesOf('by chance', RUNS), 0, 4));
  });

  it.runIf(IS_LONG)(
    'come to their ends when the providers answer no question until all is over',
    async () => {
      await expectEnds(samplesOf('by chance', RUNS), { isSilent: true });
    },
  );
});
