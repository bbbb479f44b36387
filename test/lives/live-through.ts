import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '#contract/choices.ts';
import { randomOf, shuffle } from '../billing/replay.ts';
import { expectNoDrift } from '../credits/ledger.ts';
import { WAIT_TIMEOUT_MS } from '../patient.ts';
import { type Delivery, fateOf } from './fates.ts';
import { type End, inDaysOf, type Life } from './lives.ts';
import type { PlayedEvent } from './played-provider.ts';
import { openPlayedShop, type PlayedShop } from './played-shop.ts';
import { Timeline } from './timeline.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface Sample {
  life: Life;
  provider: Provider;
  delivery: Delivery;
  seed: number;
}

export interface Lived extends Sample {
  /** What was done with each webhook, in words. */
  told: string[];
  end: End;
}

export interface Circumstances {
  /** Do the providers refuse every question until two hours before a life is judged. */
  isSilent?: boolean;
  /** Is everything looked at before a life is judged, as once a day. */
  isLookedAt?: boolean;
}

/**
 * Lives through many lives at once on one clock, in one server with its jobs, over HTTP: every buyer buys at its door, every
 * webhook is posted to it, and what webhooks do not report it has to ask. Answers where each life came to.
 */
export async function liveThrough(
  samples: readonly Sample[],
  { isSilent = false, isLookedAt = true }: Circumstances = {},
): Promise<Lived[]> {
  const timeline = new Timeline();
  const shop = await openPlayedShop(timeline.clock);
  const setSilent = async (is: boolean) => {
    for (const each of Object.values(shop.served)) each.refuses = is;
  };
  try {
    await setSilent(isSilent);
    const living = await Promise.all(samples.map((sample) => begin(shop, timeline, sample, isLookedAt)));
    for (const at of new Set(samples.map(({ life }) => Date.parse(life.judgedAt)))) {
      timeline.add(at - 2 * HOUR, 'act', () => setSilent(false));
      timeline.add(at + MINUTE, 'act', () => setSilent(isSilent));
    }
    await timeline.run(async (now) => {
      await shop.settle();
      for (const { played } of Object.values(shop.served)) played.clock.hold(now);
    });
    await expectNoDrift(shop.sql);
    return living.flatMap((lived) => lived());
  } finally {
    await shop.close();
  }
}

/** Where the life stands; what the server's own jobs began at this moment is waited for a little. */
async function endOf(buyer: Awaited<ReturnType<PlayedShop['buyer']>>, { life }: Sample): Promise<End> {
  const until = performance.now() + WAIT_TIMEOUT_MS;
  let end = await buyer.end();
  while (!isEndOf(life, end) && performance.now() < until) {
    await wait(100);
    end = await buyer.end();
  }
  return end;
}

/** Is it the life's end, or the one where the server ended a subscription itself. */
export function isEndOf(life: Life, end: End): boolean {
  const { end: expected, endedPlan } = life;
  const others = endedPlan === undefined ? [] : [{ ...expected, plan: endedPlan }];
  return [expected, ...others].some((each) => isDeepStrictEqual(each, inDaysOf(life, end)));
}

/** Puts a life's acts and reports on the timeline. Returns what gives its end when the timeline is over. */
async function begin(shop: PlayedShop, timeline: Timeline, sample: Sample, isLookedAt: boolean) {
  const { life, provider, delivery, seed } = sample;
  const { played } = shop.served[provider];
  const random = randomOf(seed);
  const judgedAt = Date.parse(life.judgedAt);
  const told: string[] = [];
  const happened: PlayedEvent[] = [];
  const ends: Lived[] = [];

  const born = new Date(Date.parse(life.acts[0]?.[0] ?? '') - MINUTE);
  const buyer = await shop.buyer(provider, born, async () => {
    told.push('a checkout is refused: all that happened is told');
    for (const event of happened) await shop.post(provider, event);
    await shop.settle();
  });

  for (const [at, act] of life.acts) {
    timeline.add(Date.parse(at), 'act', async () => {
      const before = played.events.length;
      await act(buyer.scene);
      const news = played.events.slice(before);
      for (const event of delivery === 'by chance' ? shuffle(news, random) : news) {
        const { what, posts } = fateOf(life, delivery, event, timeline.clock.time, random);
        told.push(`${event.label} ${what}`);
        happened.push(event);
        for (const each of posts) timeline.add(each.at, 'post', () => shop.post(provider, each.event));
      }
    });
  }
  const ask = async () => {
    await shop.settle();
    await shop.ask();
  };
  for (const before of [2 * HOUR, HOUR]) timeline.addOnce(judgedAt - before, 'ask', ask);
  if (isLookedAt) timeline.addOnce(judgedAt - HOUR, 'look', shop.look);
  timeline.addOnce(judgedAt - HOUR, 'ask again', ask);
  timeline.add(judgedAt, 'judge', async () => {
    ends.push({ ...sample, told, end: await endOf(buyer, sample) });
  });
  return () => ends;
}
