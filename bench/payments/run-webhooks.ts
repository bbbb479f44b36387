import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '#emulators/payments/webhooks.ts';
import type { Benchmark } from '../benchmark.ts';
import { percentile } from '../percentile.ts';
import { cpuSeconds, peakMemoryMb, resetPeakMemory } from '../process-usage.ts';
import { against, table } from '../results.ts';
import { type Rig, startRig } from '../rig.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS, WEBHOOKS_PER_SECOND } from './budgets.ts';
import { openBuyer } from './buyer.ts';

const BUYERS = 100;
const SECONDS = 20;
const TICK_MS = 5;
const CONNECTIONS = 64;
const MAX_READING_S = 600;

interface Load {
  name: string;
  bodies: string[];
}

/**
 * A storm of Creem's webhooks about real purchases: the same ones again and again, then as many different ones, each with news.
 * `parts`: how many seconds each lasts.
 */
export const runWebhooks: Benchmark = async ([duration]) => {
  const seconds = Number(duration ?? SECONDS);
  const rig = await startRig({ emulate: ['creem'] });
  try {
    const bodies = await purchase(rig);
    const count = WEBHOOKS_PER_SECOND * seconds;
    const again = { name: 'the same again', bodies: repeated(bodies, count) };
    const distinct = { name: 'all different', bodies: renewed(bodies, count) };
    const rows = [await measure(rig, again), await measure(rig, distinct)];
    const heads = [
      ...['webhooks', 'sent', 'answered 200', 'offered / s', 'answered / s', 'p50 ms', 'p99 ms', 'worst ms'],
      ...['server CPU ms each', 'PostgreSQL CPU ms each', 'peak RSS MB', 'all read after s'],
    ];
    const body = `**POST /webhooks/creem**, ${seconds} s each, ${BUYERS} subscriptions\n\n${table(heads, rows)}`;
    return { body, postgres: rig.postgres.version };
  } finally {
    await rig.close();
  }
};

/** Has everybody buy, and returns the bodies of all webhooks that were sent of it. */
async function purchase(rig: Rig): Promise<string[]> {
  const { cookies } = await seedUsers(rig, BUYERS);
  for (const cookie of cookies) {
    const buyer = await openBuyer(rig, cookie);
    const { redirectUrl } = await buyer.order('creem');
    await buyer.pay(redirectUrl);
    buyer.close();
  }
  const response = await fetch(`${rig.payments.urls.creem}/__control/webhooks`);
  const deliveries = (await response.json()) as Delivery[];
  return deliveries.filter(({ type }) => type === 'subscription.paid').map(({ body }) => body);
}

function repeated(bodies: string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => bodies[index % bodies.length] ?? '');
}

/** Each under an id of its own, and with a subscription that changed a millisecond later than the last time. */
function renewed(bodies: string[], count: number): string[] {
  const events = bodies.map((body) => JSON.parse(body) as { object: { updated_at: string } });
  return Array.from({ length: count }, (_, index) => {
    const event = events[index % events.length];
    const updatedAt = new Date(Date.parse(event?.object.updated_at ?? '') + index).toISOString();
    return JSON.stringify({
      ...event,
      id: `evt_bench_${index}`,
      object: { ...event?.object, updated_at: updatedAt },
    });
  });
}

async function measure(rig: Rig, { name, bodies }: Load) {
  const { server, postgres } = rig;
  const secret = rig.payments.env.CREEM_WEBHOOK_SECRET ?? '';
  const signed = bodies.map(
    (body) => [body, createHmac('sha256', secret).update(body).digest('hex')] as const,
  );
  resetPeakMemory(server.pid);
  const cpu = [cpuSeconds(server.pid), cpuSeconds(postgres.pid)] as const;
  const began = performance.now();
  const { took, ok } = await storm(`${rig.url}/webhooks/creem`, signed);
  const seconds = (performance.now() - began) / 1_000;
  const memory = peakMemoryMb(server.pid);
  const each = (pid: number, before: number) => ((cpuSeconds(pid) - before) * 1_000) / bodies.length;
  const times = Float64Array.from(took);
  const figures = [
    ...[percentile(times, 0.5), against(percentile(times, 0.99), BUDGETS.webhookP99), percentile(times, 1)],
    ...[each(server.pid, cpu[0]), each(postgres.pid, cpu[1]), memory],
  ];
  const offered = WEBHOOKS_PER_SECOND;
  return [name, bodies.length, ok, offered, ok / seconds, ...figures, await secondsUntilRead(rig, began)];
}

/** Sends each at its time, whether those before were answered or not; a late answer counts from that time. */
async function storm(url: string, signed: readonly (readonly [string, string])[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const took: number[] = [];
  let ok = 0;
  const began = performance.now();
  const send = async ([body, signature]: readonly [string, string], dueAt: number) => {
    const status = await post(url, agent, body, signature);
    took.push(performance.now() - began - dueAt);
    if (status === 200) ok += 1;
  };
  const sending: Promise<void>[] = [];
  for (let next = 0; next < signed.length; await sleep(TICK_MS)) {
    const due = ((performance.now() - began) / 1_000) * WEBHOOKS_PER_SECOND;
    for (; next < due && next < signed.length; next += 1) {
      const one = signed[next];
      if (one) sending.push(send(one, (next * 1_000) / WEBHOOKS_PER_SECOND));
    }
  }
  await Promise.all(sending);
  agent.destroy();
  return { took, ok };
}

function post(url: string, agent: Agent, body: string, signature: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'creem-signature': signature,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

async function secondsUntilRead({ postgres: { sql } }: Rig, began: number): Promise<number> {
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from billing.inbox where status = 'new'`;
    const seconds = (performance.now() - began) / 1_000;
    if (row?.waiting === 0) return seconds;
    if (seconds > MAX_READING_S) throw new Error(`${row?.waiting} webhooks are still not read`);
    await sleep(200);
  }
}
