import type { Database, Executor } from '../database/database.ts';
import type { Metrics } from '../metrics.ts';
import type { Jobs } from './jobs.ts';

/** Adds the gauges of what waits in the database: tasks that are due, and the connections of the product. */
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
