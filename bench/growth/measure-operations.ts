import { percentile } from '../percentile.ts';
import { PASSWORD } from './seed-rest.ts';
import { RARE, type World } from './seed-world.ts';
import { askByKey, sendMessage } from './send-message.ts';

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
  'search, nowhere, light': page('/api/conversations/search?q=nowhereatall', 4, 'light'),
  'ledger, newest page': page('/api/credits/entries'),
  'ledger by kind': page('/api/credits/entries?kind=grant'),
  'ledger, kind without lines': page('/api/credits/entries?kind=revoke'),
  'spending of a month': page('/api/credits/spending'),
  'files, what they take': page('/api/files/usage'),
  'files of the longest': page(({ conversation }) => `/api/conversations/${conversation}/files`, 4),
  orders: page('/api/orders'),
  'API, usage of a day': page(`/api/keys/usage?from=${today()}&to=${today()}`, 4),
  'operator: today': page('/api/admin/today', 4, 'operator'),
  'operator: a user': page('/api/admin/users?find=0', 2, 'operator'),
  'operator: orders': page('/api/admin/orders', 2, 'operator'),
  'operator: webhooks': page('/api/admin/inbox', 2, 'operator'),
  'sign-in': { growth: 2, run: signIn },
  profile: page('/api/me'),
  'send, first text, heavy': { growth: 2, run: (world) => sendMessage(world, world.heavy.cookie) },
  'send an edit, first text, heavy': { growth: 2, run: sendEdit },
  'send by a capped key, first text': { growth: 2, run: (world) => askByKey(world) },
  'send, first text, light': { growth: 2, run: (world) => sendMessage(world, world.light.cookie) },
};

/** What of the heavy user's a page reads, or of a light one's, or what an operator does. */
function page(
  path: string | ((heavy: World['heavy']) => string),
  growth = 2,
  by: 'heavy' | 'light' | 'operator' = 'heavy',
) {
  const run = async ({ rig, heavy, ...world }: World) => {
    const asked = typeof path === 'string' ? path : path(heavy);
    const { cookie } = { heavy, ...world }[by];
    const response = await fetch(`${rig.url}${asked}`, { headers: { cookie } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${asked} was answered ${response.status} ${body.slice(0, 200)}`);
  };
  return { growth, run };
}

/** A day in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A second message below an early one: its history is read, and it begins a branch. */
function sendEdit(world: World): Promise<number> {
  const { cookie, conversation, early } = world.heavy;
  return sendMessage(world, cookie, { conversationId: conversation, parentId: early });
}

/** By a password, without what limits the tries of one address. Answers the milliseconds. */
async function signIn({ rig, light }: World): Promise<number> {
  await rig.postgres.sql`delete from rate_limits where key like 'sign-in:%'`;
  const before = performance.now();
  const response = await fetch(`${rig.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: rig.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${light.id}@bench.example`, password: PASSWORD }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`a sign-in was answered ${response.status} ${body.slice(0, 200)}`);
  return performance.now() - before;
}

/** Each operation, one after the other, with all statements prepared. */
export async function measureOperations(world: World): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>();
  for (const [name, { run }] of Object.entries(OPERATIONS)) {
    const isAlone = name.startsWith('send') || name === 'sign-in';
    // Together, so that each connection of the pool has its turn.
    for (let n = 0; n < WARM; n += 10)
      await Promise.all(Array.from({ length: isAlone ? 1 : 10 }, () => run(world)));
    const took: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const before = performance.now();
      const first = await run(world);
      took.push(isAlone ? Number(first) : performance.now() - before);
    }
    const times = Float64Array.from(took.filter((one) => !Number.isNaN(one)));
    measured.set(name, { p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
  }
  return measured;
}
