import { percentile } from '../percentile.ts';
import { RARE, type World } from './seed-world.ts';
import { sendMessage } from './send-message.ts';

/** So many times each, after as many as make every connection's prepared statements generic (five each of ten). */
const REPEATS = 60;
const WARM = 60;

export interface Measured {
  p50: number;
  p95: number;
}

/** What an operation is called, and how often its p95 may grow from the small to the large world. */
export const OPERATIONS: Record<string, { growth: number; run: (world: World) => Promise<unknown> }> = {
  'conversations, newest page': page('/api/conversations'),
  'newest page of the longest': page(
    ({ conversation }) => `/api/messages?conversationId=${conversation}&branch=newest`,
  ),
  'jump to an early message': page(
    ({ conversation, early }) => `/api/messages?conversationId=${conversation}&branch=${early}`,
  ),
  'scroll down from it': page(
    ({ conversation, early }) =>
      `/api/messages?conversationId=${conversation}&branch=${early}&after=${early}`,
  ),
  'scroll up from a late one': page(
    ({ conversation, late }) => `/api/messages?conversationId=${conversation}&branch=${late}&before=${late}`,
  ),
  'search, common': page('/api/conversations/search?q=%E4%B8%80', 4),
  'search, uncommon two characters': page(
    `/api/conversations/search?q=${encodeURIComponent(RARE.chinese)}`,
    4,
  ),
  'search, rare English': page(`/api/conversations/search?q=${RARE.english}`, 4),
  'search, nowhere': page('/api/conversations/search?q=nowhereatall', 4),
  'ledger, newest page': page('/api/credits/entries'),
  'ledger by kind': page('/api/credits/entries?kind=grant'),
  profile: page('/api/me'),
  'send, first text, heavy': { growth: 2, run: (world) => sendMessage(world, world.heavy.cookie) },
  'send, first text, light': { growth: 2, run: (world) => sendMessage(world, world.light.cookie) },
};

/** What of the heavy user's a page reads. */
function page(path: string | ((heavy: World['heavy']) => string), growth = 2) {
  const run = async ({ rig, heavy }: World) => {
    const asked = typeof path === 'string' ? path : path(heavy);
    const response = await fetch(`${rig.url}${asked}`, { headers: { cookie: heavy.cookie } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${asked} was answered ${response.status} ${body.slice(0, 200)}`);
  };
  return { growth, run };
}

/** Each operation, one after the other, with all statements prepared. */
export async function measureOperations(world: World): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>();
  for (const [name, { run }] of Object.entries(OPERATIONS)) {
    const isSend = name.startsWith('send');
    // Together, so that each connection of the pool has its turn.
    for (let n = 0; n < WARM; n += 10)
      await Promise.all(Array.from({ length: isSend ? 1 : 10 }, () => run(world)));
    const took: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const before = performance.now();
      const first = await run(world);
      took.push(isSend ? Number(first) : performance.now() - before);
    }
    const times = Float64Array.from(took.filter((one) => !Number.isNaN(one)));
    measured.set(name, { p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
  }
  return measured;
}
