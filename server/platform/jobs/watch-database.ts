import type { Database, Executor } from '../database/database.ts';
import type { Metrics } from '../metrics.ts';
import type { Jobs } from './jobs.ts';

/** Adds the gauges of what waits in the database, of the connections of the product, and of how far this host's clock is from it. */
export function watchDatabase({ sql }: Pick<Database, 'sql'>, metrics: Metrics, jobs: Jobs): void {
  metrics.addGauges(
    'parley_tasks_due',
    'Tasks that are due and not begun, by the name of their queue; at most 1,000 of each are counted.',
    'queue',
    () => jobs.countDue(),
  );
  metrics.addGauges(
    'parley_database_connections',
    'Connections of all processes to their database, by state.',
    'state',
    () => countConnections(sql),
  );
  metrics.addGauge(
    'parley_clock_ahead_seconds',
    'Seconds that the clock of this host is ahead of the database’s; below zero where it is behind.',
    () => measureClockAhead(sql),
  );
}

/** Taken in the middle of the question; the product's clock is not asked, which tests move. */
async function measureClockAhead(sql: Executor): Promise<number> {
  const askedAt = Date.now();
  const [row] = await sql<
    { seconds: number }[]
  >`select extract(epoch from clock_timestamp())::float8 as seconds`;
  if (!row) throw new Error('the database did not tell its time');
  return (askedAt + Date.now()) / 2_000 - row.seconds;
}

/** What PostgreSQL calls the states of a connection (postgresql.org/docs/current/monitoring-stats.html). */
const STATES = ['active', 'idle', 'idle in transaction'];

async function countConnections(sql: Executor): Promise<Map<string, number>> {
  const rows = await sql<{ state: string; count: number }[]>`
    select state, count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'parley' and state = any(${STATES}::text[]) group by 1`;
  const found = new Map(rows.map(({ state, count }) => [state, count]));
  return new Map(STATES.map((state) => [state, found.get(state) ?? 0]));
}
