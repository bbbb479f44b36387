import postgres, { type Options, type PostgresType, type Sql, type TransactionSql } from 'postgres';

/** A pool, or the connection of an open transaction: what every store function takes. */
export type Executor = Sql | TransactionSql;

export interface Database {
  /** postgres.js, for typed statements and transactions (`database.sql.begin`). */
  sql: Sql;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** Told of a `NOTICE`; by default they are dropped. */
  onNotice?: (notice: postgres.Notice) => void;
}

/** Opens a pool on `url` (a PostgreSQL URL). Connections are made when first used; `close` waits 5 seconds for running statements. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const sql = connectPostgres(url, {
    max: options.poolSize ?? 10,
    connect_timeout: 10,
    // The driver's own goes up to 20 s, which a running answer would have to wait for after a restart of PostgreSQL.
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 1),
    idle_timeout: 300,
    onnotice: options.onNotice ?? (() => {}),
    connection: { application_name: 'parley', statement_timeout: 30_000, timezone: 'UTC' },
  });
  return { sql, close: () => sql.end({ timeout: 5 }) };
}

/** postgres.js on `url`, whose `host` parameter may name the folder of a Unix socket, as libpq's may. */
export function connectPostgres(url: string, options: Options<Record<string, PostgresType>>): Sql {
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host');
  if (host === null) return postgres(url, options);
  parsed.searchParams.delete('host');
  return postgres(parsed.href, { ...options, host });
}
