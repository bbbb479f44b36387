import type { Log } from '../log.ts';
import { runApart } from '../telemetry/request-context.ts';
import type { Database } from './database.ts';
import { CHANNEL, type Instance } from './instance.ts';

/** What travels between processes: small and plain, references rather than contents. PostgreSQL takes 8,000 bytes at most. */
export type BusPayload = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Receives a payload; `value` is the object that the publisher passed on in this process, undefined from another one. */
export type BusListener = (payload: BusPayload, value: unknown) => void;

/** Publishes events to all processes on one database. Best effort: a process that missed one finds the truth in the tables. */
export interface Bus {
  /** Begins to listen to the other processes. */
  start(): Promise<void>;
  /** Calls the listeners of this process at once, then those of the other processes, in the order in which it was called. */
  publish(topic: string, payload: BusPayload, value?: unknown): void;
  /** Listens until the returned function is called. */
  subscribe(topic: string, listener: BusListener): () => void;
  /** Called when the connection to the others stands again, or this process was taken for dead: something may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** The topic of everything that the open tabs of a user should know. */
export function userTopic(userId: string): string {
  return `user:${userId}`;
}

interface Envelope {
  from: string;
  topic: string;
  payload?: BusPayload;
}

/** Makes the bus of one process, over LISTEN and NOTIFY on one channel. */
export function createBus(
  { sql, listen }: Pick<Database, 'sql' | 'listen'>,
  instance: Instance,
  log: Log,
): Bus {
  const topics = new Map<string, Set<BusListener>>();
  const gapListeners: (() => void)[] = [];
  const post = createOutbox(sql, log);
  let unlisten: (() => Promise<void>) | undefined;

  // While the others took this process for dead they told it nothing; what they hear makes them count it again.
  instance.onLeaseDoubt(() => {
    post(JSON.stringify({ from: instance.id, topic: 'instances' } satisfies Envelope));
    reportGap();
  });

  function reportGap() {
    for (const listener of gapListeners) listener();
  }

  function deliver(topic: string, payload: BusPayload, value: unknown) {
    for (const listener of topics.get(topic) ?? []) {
      try {
        runApart(() => listener(payload, value));
      } catch (error) {
        log.error({ err: error, topic }, 'a listener of the bus failed');
      }
    }
  }

  function receive(text: string) {
    const { from, topic, payload } = JSON.parse(text) as Envelope;
    if (from === instance.id) return;
    if (topic === 'instances') instance.beat().catch(() => {});
    else if (payload) deliver(topic, payload, undefined);
  }

  return {
    async start() {
      let stands = false;
      const listening = await listen(CHANNEL, receive, () => {
        if (stands) reportGap();
        stands = true;
      });
      unlisten = listening.unlisten;
    },
    publish(topic, payload, value) {
      deliver(topic, payload, value);
      if (!instance.hasPeers) return;
      post(JSON.stringify({ from: instance.id, topic, payload } satisfies Envelope));
    },
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
    onGap: (listener) => {
      gapListeners.push(listener);
    },
    close: async () => {
      await unlisten?.();
    },
  };
}

/**
 * Sends events to all processes, those of one tick together, in transactions of their own that write nothing: they do not wait for the disk
 * (decision 93). One after the other, for a later one could take another connection and be heard first.
 */
function createOutbox(sql: Database['sql'], log: Log): (event: string) => void {
  let events: string[] = [];
  let isSending = false;

  async function send() {
    while (events.length > 0) {
      const batch = events;
      events = [];
      await sql`select pg_notify(${CHANNEL}, e) from unnest(${batch}::text[]) e`.catch((error) =>
        log.warn({ err: error, events: batch.length }, 'the other processes could not be notified'),
      );
    }
    isSending = false;
  }

  return (event) => {
    events.push(event);
    if (!isSending) runApart(() => setImmediate(send));
    isSending = true;
  };
}
