import type { Sql } from 'postgres';
import { isDataRefused } from '#server/platform/database/database-errors.ts';
import type { Log } from '#server/platform/log.ts';
import { runApart } from '#server/platform/telemetry/request-context.ts';
import { appendEvents, type LogRow } from './event-store.ts';
import type { Run } from './run.ts';

const FLUSH_MS = 150;
/** When many answers run, the log takes a fifth of the time: fewer and larger statements, not one after the other. */
const PAUSE_RATIO = 4;
const MAX_PAUSE_MS = 400;
const RETRY_MS = 500;
/** All that waits is written out anew for each try, and it grows while the database is away. */
const MAX_RETRY_MS = 4_000;
/** Characters of one statement; a longer backlog, after an outage of the database, goes in several. */
const BATCH_CHARACTERS = 4_000_000;

export interface Writer {
  /** The run has events that the log does not have. */
  add(run: Run): void;
  /** Writes what the log does not have now. Rejects when the database does not take it. */
  flush(): Promise<void>;
  close(): void;
}

interface Entry {
  run: Run;
  row: LogRow;
}

/** Writes the new events of all runs to the log, a few times a second, in one statement; `onWritten` receives the ids of these messages. */
export function createWriter(sql: Sql, log: Log, onWritten: (messageIds: string[]) => void): Writer {
  const waiting = new Set<Run>();
  let timer: NodeJS.Timeout | undefined;
  let retryMs = RETRY_MS;
  let writing: Promise<void> | null = null;

  function schedule(delay: number) {
    if (waiting.size > 0 && !writing) timer ??= runApart(() => setTimeout(onTimer, delay));
  }

  async function onTimer() {
    timer = undefined;
    try {
      const started = performance.now();
      await write();
      retryMs = RETRY_MS;
      schedule(Math.min(MAX_PAUSE_MS, Math.max(FLUSH_MS, PAUSE_RATIO * (performance.now() - started))));
    } catch (error) {
      log.warn({ err: error, runs: waiting.size }, 'the event log could not be written; trying again');
      schedule(retryMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  function write(): Promise<void> {
    writing ??= writeBatches(takeBatches(waiting)).finally(() => {
      writing = null;
    });
    return writing;
  }

  /** Rows of a batch that is refused for one of them are written one by one, so that no run keeps others out of the log. */
  async function writeBatches(batches: Entry[][]) {
    const left = [...batches];
    let refusal: unknown = null;
    for (let batch = left.shift(); batch; batch = left.shift()) {
      try {
        await writeBatch(sql, batch);
        onWritten(batch.map(({ row }) => row.messageId));
      } catch (error) {
        if (!isDataRefused(error)) {
          for (const { run } of [batch, ...left].flat()) waiting.add(run);
          throw error;
        }
        if (batch.length > 1) {
          left.unshift(...batch.map((entry) => [entry]));
          continue;
        }
        refusal = error;
        for (const { run } of batch) if (!run.feed.isLost) waiting.add(run);
      }
    }
    if (refusal) throw refusal;
  }

  return {
    add(run) {
      waiting.add(run);
      schedule(FLUSH_MS);
    },
    async flush() {
      await writing?.catch(() => {});
      await write();
    },
    close() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

async function writeBatch(sql: Sql, batch: Entry[]): Promise<void> {
  await appendEvents(
    sql,
    batch.map(({ row }) => row),
  );
  for (const { run, row } of batch) run.logged(row.lastSeq);
}

/** Empties the set. A run that has ended took its last events with its end; another run, or process, has the message of a lost one. */
function takeBatches(waiting: Set<Run>): Entry[][] {
  const batches: Entry[][] = [];
  let characters = BATCH_CHARACTERS;
  for (const run of waiting) {
    const isOver = run.feed.ending !== null || run.cut === 'lost';
    const events = isOver ? null : run.unloggedEvents();
    if (events === null) continue;
    if (characters >= BATCH_CHARACTERS) {
      batches.push([]);
      characters = 0;
    }
    const { firstUnlogged: firstSeq, feed } = run;
    const row = { messageId: run.message.id, firstSeq, lastSeq: feed.events.length, events };
    batches.at(-1)?.push({ run, row });
    characters += events.length;
  }
  waiting.clear();
  return batches;
}
