import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

export interface InstanceTimes {
  beatMs: number;
  /** An instance that was not seen for this long is dead, and its runs have no owner. */
  leaseMs: number;
}

const DEFAULT_INSTANCE_TIMES: InstanceTimes = { beatMs: 3_000, leaseMs: 12_000 };

/** The channel on which every process listens; see bus.ts. */
export const CHANNEL = 'parley';

/** This start of the process among the others on the same database: a row in `instances` that says "seen just now". */
export interface Instance {
  readonly id: string;
  readonly leaseMs: number;
  /** Whether other instances were alive at the last heartbeat. */
  readonly hasPeers: boolean;
  /**
   * Milliseconds since heartbeats succeed without a pause of half a lease; 0 when one is late now. After a shorter outage others may not
   * have been able to say that they live.
   */
  steadyMs(): number;
  /** Writes the first heartbeat, publishes it, and goes on until `stop`. */
  start(): Promise<void>;
  /** Writes a heartbeat now: another instance said that it came. */
  beat(): Promise<void>;
  /** Called when heartbeats succeed again after a pause as long as a lease: others may have taken what was ours. */
  onLeaseDoubt(listener: () => void): void;
  /** Stops beating and deletes the row, so that the others need not wait for the lease. */
  stop(): Promise<void>;
}

/** Makes this process an instance with a new id. All times are compared on the database's clock or a monotonic one. */
export function createInstance(
  { apart: sql }: Pick<Database, 'apart'>,
  log: Log,
  times: InstanceTimes = DEFAULT_INSTANCE_TIMES,
): Instance {
  const id = newId();
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let steadySince = Number.NaN;
  let lastBeat = Number.NaN;
  let peers = 0;
  let beating: Promise<void> | null = null;

  const isOlderThan = (ms: number) => !(performance.now() - lastBeat < ms);
  const isLate = () => isOlderThan(times.leaseMs / 2);

  async function write() {
    const sentAt = performance.now();
    const rows = await sql<{ peers: number }[]>`
      insert into instances (id, seen_at) values (${id}, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at
      returning (select count(*)::int from instances
                  where id <> ${id} and seen_at > clock_timestamp() - ${times.leaseMs} * interval '1 ms') as peers`;
    const doubt = isOlderThan(times.leaseMs);
    const first = Number.isNaN(lastBeat);
    if (isLate()) steadySince = sentAt;
    lastBeat = sentAt;
    peers = rows[0]?.peers ?? 0;
    if (doubt && !first) for (const listener of listeners) listener();
  }

  function beat(): Promise<void> {
    beating ??= write().finally(() => {
      beating = null;
    });
    return beating;
  }

  return {
    id,
    leaseMs: times.leaseMs,
    get hasPeers() {
      return peers > 0;
    },
    steadyMs: () => (isLate() ? 0 : performance.now() - steadySince),
    async start() {
      await beat();
      await sql.notify(CHANNEL, JSON.stringify({ from: id, topic: 'instances' }));
      timer = setInterval(() => {
        beat().catch((error) => log.warn({ err: error }, 'heartbeat failed'));
      }, times.beatMs);
    },
    beat,
    onLeaseDoubt: (listener) => {
      listeners.push(listener);
    },
    async stop() {
      clearInterval(timer);
      await beating?.catch(() => {});
      await sql`delete from instances where id = ${id}`;
    },
  };
}
