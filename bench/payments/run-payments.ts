import { PROVIDERS, type Provider } from '#contract/choices.ts';
import type { Benchmark } from '../benchmark.ts';
import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS } from './budgets.ts';
import { openBuyer } from './buyer.ts';

const PURCHASES = 24;

interface Case {
  provider: Provider;
  news: 'webhooks' | 'dropped';
}

/**
 * From payment on the hosted page to credits on the live channel, with webhooks, and with every webhook lost and the tab closed, so
 * that only our own questions bring the news. `parts`: the number of purchases of each case.
 */
export const runPayments: Benchmark = async ([count]) => {
  const purchases = Number(count ?? PURCHASES);
  const rig = await startRig({ emulate: PROVIDERS });
  try {
    const rows: (string | number)[][] = [];
    for (const news of ['webhooks', 'dropped'] as const) {
      for (const provider of PROVIDERS) {
        const seconds = await measure(rig, { provider, news }, purchases);
        const share = (part: number) => percentile(Float64Array.from(seconds), part);
        rows.push([
          ...[provider, news, seconds.length, share(0.5)],
          ...[against(share(0.95), BUDGETS.creditsSeen[news]), share(1)],
        ]);
      }
    }
    const heads = ['provider', 'news', 'purchases', 'p50 s', 'p95 s', 'worst s'];
    return {
      body: `**From payment to credits seen**\n\n${table(heads, rows)}`,
      postgres: rig.postgres.version,
    };
  } finally {
    await rig.close();
  }
};

/** With webhooks one after the other; without them all at once, as each waits for a job. */
async function measure(rig: Rig, { provider, news }: Case, purchases: number): Promise<number[]> {
  const { cookies } = await seedUsers(rig, purchases);
  if (news === 'dropped') await dropWebhooks(rig.payments.urls[provider] ?? '');
  const buyers = await Promise.all(cookies.map((cookie) => openBuyer(rig, cookie)));
  const seconds: number[] = [];
  const buy = async (buyer: (typeof buyers)[number]) => {
    const { redirectUrl } = await buyer.order(provider);
    seconds.push(await buyer.pay(redirectUrl));
    buyer.close();
  };
  if (news === 'dropped') await Promise.all(buyers.map(buy));
  else for (const buyer of buyers) await buy(buyer);
  return seconds;
}

async function dropWebhooks(emulator: string) {
  const body = JSON.stringify({ fault: 'drop', times: null });
  const response = await fetch(`${emulator}/__control/webhook-fault`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
}
