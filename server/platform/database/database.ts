import postgres, {
  type ConnectionParameters,
  type Options,
  type PendingQuery,
  type PostgresType,
  type Row,
  type Sql,
  type TransactionSql,
} from 'postgres';
import { runApart } from '../telemetry/request-context.ts';
import { isLockTimeout } from './database-errors.ts';

/** A pool, or the connection of an open transaction: what every store function takes. */
export type Executor = Sql | TransactionSql;

/** A part of a statement. */
export type Fragment = PendingQuery<Row[]>;

export interface Database {
  /** postgres.js, for typed statements and transactions (`database.sql.begin`). */
  sql: Sql;
  /**
   * Listens on a channel until `unlisten`, again after each loss of its connection, which is one to PostgreSQL itself. `onListen` is
   * called each time it stands.
   */
  listen: Sql['listen'];
  /**
   * Runs one short statement that a user waits for on the pinned connection, one behind the other: its PostgreSQL process has its
   * caches filled (decisions 27 and 30). A statement goes to the pool where too many are waiting already, and runs again there,
   * from its beginning, when it would have to wait for a lock, so that it does not hold up the ones behind. Through a pooler there is
   * no pinned connection: all of it goes to the pool.
   */
  pinned<T>(run: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Opens the result of a statement that committed with `synchronous_commit` off: resolves with it when all that was committed before the
   * call is on disk. Calls that come while a flush is under way share the next one. Rejects as a statement does.
   */
  flush<T>(uncommitted: Uncommitted<T>): Promise<T>;
  /** The connection of `flush`, for the heartbeat: that must not wait for the statements of users, as it may in the pool of a PgBouncer. */
  apart: Sql;
  close(): Promise<void>;
}

let open: <T>(uncommitted: Uncommitted<T>) => T;

/**
 * A result that is committed and not yet on disk. A crash of PostgreSQL may still lose it, so no response may show it before
 * `database.flush` has opened it (decision 25).
 */
export class Uncommitted<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Goes on with the value at once; what comes of it is not on disk either. */
  map<U>(next: (value: T) => U): Uncommitted<U> {
    return new Uncommitted(next(this.#value));
  }

  static {
    open = (uncommitted) => uncommitted.#value;
  }
}

export interface DatabaseOptions {
  /** Connections of `sql`; `pinned` and `flush` have one more each. */
  poolSize?: number;
  /** Called with each `NOTICE`; by default they are dropped. */
  onNotice?: (notice: postgres.Notice) => void;
  /** PostgreSQL itself, where `url` is a pooler in transaction mode, such as PgBouncer (decision 94). */
  directUrl?: string | null;
  /** Whether statements are prepared by name, once for each connection; by default where there is no pooler. */
  preparesStatements?: boolean;
  /** How long PostgreSQL may be silent before its connection is given up. */
  answerSeconds?: number;
}

/** Statements that may wait for each other on the pinned connection. Each takes about half a millisecond. */
const PINNED_PLACES = 16;
/** How long a statement on the pinned connection waits for a lock, which the short transactions that take one hold far shorter. */
const MAX_LOCK_MS = 100;

/**
 * If PostgreSQL is silent for longer than the statement time-out, its host is treated as gone; TCP alone needs 15 minutes (decision 118).
 */
const ANSWER_SECONDS = 45;

/** Parameters of a session, which a pooler in transaction mode does not keep; PgBouncer refuses a client that sends them. */
const SESSION_PARAMETERS = { statement_timeout: 30_000 };

/** Opens a pool on `url` (a PostgreSQL URL). Connections are made when first used; `close` waits 5 seconds for running statements. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const directUrl = options.directUrl ?? null;
  const isPooled = directUrl !== null;
  const connect = (
    to: string,
    pool: Options<Record<string, PostgresType>>,
    parameters: Partial<ConnectionParameters>,
  ) =>
    connectPostgres(to, {
      ...pool,
      connect_timeout: 10,
      answer_timeout: options.answerSeconds ?? ANSWER_SECONDS,
      // The driver's own goes up to 20 s, which a running answer would have to wait for after a restart of PostgreSQL.
      backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 1),
      // A connection serves many requests, so a notice belongs to none of them.
      onnotice: (notice) => runApart(() => options.onNotice?.(notice)),
      prepare: options.preparesStatements ?? !isPooled,
      // PgBouncer loses the answer of a statement that is sent behind another one (decision 152).
      max_pipeline: isPooled ? 1 : 100,
      connection: { application_name: 'parley', timezone: 'UTC', ...parameters },
    });
  const parameters = isPooled ? {} : SESSION_PARAMETERS;
  const sql = connect(url, { max: options.poolSize ?? 10, idle_timeout: 300 }, parameters);
  const pinned = isPooled
    ? null
    : connect(url, { max: 1 }, { ...SESSION_PARAMETERS, lock_timeout: MAX_LOCK_MS });
  const flushing = connect(url, { max: 1 }, parameters);
  const listening = connect(directUrl ?? url, { max: 1 }, SESSION_PARAMETERS);
  const flush = createFlush(flushing);
  return {
    sql,
    listen: listening.listen,
    pinned: pinned ? createPinned(pinned, sql) : (run) => run(sql),
    flush: async (uncommitted) => {
      await flush();
      return open(uncommitted);
    },
    apart: flushing,
    close: async () => {
      await Promise.all([sql, pinned, flushing, listening].map((one) => one?.end({ timeout: 5 })));
    },
  };
}

function createPinned(connection: Sql, pool: Sql): Database['pinned'] {
  let taken = 0;
  return async (run) => {
    if (taken >= PINNED_PLACES) return run(pool);
    taken += 1;
    try {
      return await run(connection);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    } finally {
      taken -= 1;
    }
    return run(pool);
  };
}

/** A commit that is waited for takes everything before it to disk (postgresql.org/docs/current/wal-async-commit.html). */
function createFlush(sql: Sql): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function emit() {
    await sql`select pg_logical_emit_message(true, 'parley', '')`;
  }

  function start(): Promise<void> {
    next = null;
    running = emit().finally(() => {
      running = null;
    });
    return running;
  }

  return () => {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}

/**
 * The moment of a statement in SQL: `at` as `clock.databaseTime()` gives it, or the database's own time. It stays the same through
 * the statement, so that an index can be searched by it; `clock_timestamp()` would make PostgreSQL read the whole table.
 */
export function momentOf(sql: Executor, at: Date | null) {
  return sql`coalesce(${at}::timestamptz, statement_timestamp())`;
}

/** The microseconds of a column of times since 1970, as text: a place in a list, which a `Date` is too coarse for. */
export function microsOf(sql: Executor, column: Fragment) {
  return sql`(extract(epoch from ${column}) * 1000000)::bigint::text`;
}

/** postgres.js on `url`, whose `host` parameter may name the folder of a Unix socket, as libpq's may. */
export function connectPostgres(url: string, options: Options<Record<string, PostgresType>>): Sql {
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host');
  if (host === null) return postgres(url, options);
  parsed.searchParams.delete('host');
  return postgres(parsed.href, { ...options, host });
}
