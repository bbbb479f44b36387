import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters';
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres';
import type { Clock } from '#server/platform/clock.ts';
import type { Executor } from '#server/platform/database.ts';
import { applyClock } from './clock-rules.ts';

type Options = Parameters<ReturnType<typeof createAdapterFactory>>[0];
type Fragment = PendingQuery<Row[]>;

const CONFIG = { adapterId: 'postgres-js', supportsDates: true, supportsBooleans: true, supportsUUIDs: true };
const COMPARISONS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** What better-auth reads and writes in 0000_accounts.sql. Names of tables and columns come from its options, never from a request. */
export function identityStore(sql: Sql, clock: Clock) {
  return (options: Options) =>
    createAdapterFactory({
      config: {
        ...CONFIG,
        transaction: async (work) => {
          const result = await sql.begin(async (tx) => [await work(statementsOn(tx, clock, options))]);
          return result[0] as Awaited<ReturnType<typeof work>>;
        },
      },
      adapter: () => applyClock(statements(sql), clock),
    })(options);
}

function statementsOn(tx: TransactionSql, clock: Clock, options: Options) {
  return createAdapterFactory({ config: CONFIG, adapter: () => applyClock(statements(tx), clock) })(options);
}

/** postgres.js types its answers as rows; better-auth types them as whatever its caller asks for. */
function statements(sql: Executor): CustomAdapter {
  const first = async (query: Fragment) => ((await query)[0] ?? null) as never;
  const count = async (query: Fragment) => (await query).count;
  return {
    create: ({ model, data }) => first(sql`insert into ${sql(model)} ${sql(given(data))} returning *`),
    update: ({ model, where, update }) =>
      first(
        sql`update ${sql(model)} set ${sql(given(update as object))} ${matching(sql, where)} returning *`,
      ),
    updateMany: ({ model, where, update }) =>
      count(sql`update ${sql(model)} set ${sql(given(update))} ${matching(sql, where)}`),
    findOne: ({ model, where }) => first(sql`select * from ${sql(model)} ${matching(sql, where)} limit 1`),
    findMany: async ({ model, where, limit, offset = 0, sortBy }) => {
      const order = sortBy
        ? sql`order by ${sql(sortBy.field)} ${sortBy.direction === 'desc' ? sql`desc` : sql`asc`}`
        : sql``;
      return (await sql`
        select * from ${sql(model)} ${matching(sql, where)} ${order} limit ${limit} offset ${offset}`) as never;
    },
    delete: async ({ model, where }) => {
      await sql`delete from ${sql(model)} ${matching(sql, where)}`;
    },
    deleteMany: ({ model, where }) => count(sql`delete from ${sql(model)} ${matching(sql, where)}`),
    consumeOne: ({ model, where }) =>
      first(sql`
        delete from ${sql(model)} where id = (
          select id from ${sql(model)} ${matching(sql, where)} limit 1 for update skip locked) returning *`),
    count: async ({ model, where }) => {
      const [row] = await sql<
        { count: number }[]
      >`select count(*)::int as count from ${sql(model)} ${matching(sql, where)}`;
      return row?.count ?? 0;
    },
  };
}

function given(data: object): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** All conditions joined by AND, and any of those joined by OR. */
function matching(sql: Executor, where: CleanedWhere[] = []): Fragment {
  const parts = where.map((one) => ({ isOr: one.connector === 'OR', test: compare(sql, one) }));
  const all = parts.filter(({ isOr }) => !isOr).map(({ test }) => test);
  const any = parts.filter(({ isOr }) => isOr).map(({ test }) => test);
  const tests = any.length > 0 ? [...all, sql`(${join(sql, any, sql`or`)})`] : all;
  return tests.length === 0 ? sql`` : sql`where ${join(sql, tests, sql`and`)}`;
}

function join(sql: Executor, tests: Fragment[], word: Fragment): Fragment {
  return tests.reduce((left, right) => sql`${left} ${word} ${right}`);
}

function compare(sql: Executor, { field, operator, value, mode }: CleanedWhere): Fragment {
  const column = sql(field);
  if (value === null) return operator === 'ne' ? sql`${column} is not null` : sql`${column} is null`;
  if (operator === 'in') return sql`${column} = any (${value as string[]})`;
  if (operator === 'not_in') return sql`${column} <> all (${value as string[]})`;
  const text = String(value);
  if (operator === 'contains') return sql`position(${text} in ${column}) > 0`;
  if (operator === 'starts_with') return sql`starts_with(${column}, ${text})`;
  if (operator === 'ends_with') return sql`right(${column}, length(${text})) = ${text}`;
  const comparison = sql.unsafe(COMPARISONS[operator ?? 'eq']);
  if (mode === 'insensitive' && typeof value === 'string')
    return sql`lower(${column}) ${comparison} lower(${value})`;
  return sql`${column} ${comparison} ${value as string}`;
}
