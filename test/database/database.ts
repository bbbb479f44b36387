import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import {
  connectPostgres,
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '#server/platform/database/database.ts';
import { IS_LONG } from '../runs.ts';
import { folderOf } from './folder-of.ts';

export interface TestDatabase {
  database: Database;
  /** For `openDatabase`: a second pool, or another process, on the same database. */
  url: string;
  /** Has connections that are opened from now on plan each statement once, for tests that run few ones very often. */
  keepPlans(): Promise<void>;
  /** Closes `database` and deletes it, cutting connections that are still open. */
  drop(): Promise<void>;
}

interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string;
}

export interface TestDatabaseOptions extends DatabaseOptions {
  /** Null: no pooler, in a run through one either. */
  directUrl?: null;
  /** 18, and 15 in `npm run test:long`, unless said otherwise. */
  version?: 18 | 15 | undefined;
}

const USUAL_VERSION = IS_LONG ? 15 : 18;

/** An own, freshly migrated database, cloned from the template of the global setup. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { version = USUAL_VERSION, ...pool } = options;
  const server = inject('postgres')[version];
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name} template parley_template strategy file_copy`);
  const url = server.replace('/parley?', `/${name}?`);
  const settings: DatabaseSettings = pool.directUrl === null ? { DATABASE_URL: url } : databaseSettings(url);
  const directUrl = settings.DATABASE_DIRECT_URL ?? null;
  const database = openDatabase(settings.DATABASE_URL, { ...pool, directUrl });
  return {
    database,
    url,
    keepPlans: () => administer(server, `alter database ${name} set plan_cache_mode = force_generic_plan`),
    drop: async () => {
      await database.close();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

/** How a server of a test reaches its database: by PgBouncer in a run through it, unless `url` leads to a proxy. */
export function databaseSettings(url: string): DatabaseSettings {
  const pooler = inject('poolers')[folderOf(url)];
  if (pooler === undefined) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.searchParams.set('host', pooler);
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: url };
}

async function administer(server: string, statement: string) {
  const sql = connectPostgres(server.replace('/parley?', '/postgres?'), { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
