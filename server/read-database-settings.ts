import { z } from 'zod';
import type { Environment } from './platform/environment.ts';
import { oneOf, readWhole } from './platform/read-setting.ts';

export interface DatabaseSettings {
  /** Null: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null;
  /** PostgreSQL itself, where `databaseUrl` is a pooler in transaction mode; null: there is none. */
  databaseDirectUrl: string | null;
  databasePoolSize: number;
  /** Whether statements are prepared by name, once for each connection. */
  databasePreparedStatements: boolean;
}

/** Reads which database there is and whether a pooler stands before it; problems are reported to `env`. */
export function readDatabaseSettings(env: Environment): DatabaseSettings {
  const address = z.url({ protocol: /^postgres(ql)?$/ });
  const databaseUrl = env.secret('DATABASE_URL', address, {
    zh: '应为 PostgreSQL 15 或更新版本的地址，例如 postgres://用户:密码@主机:5432/数据库；留空则使用内置的 PostgreSQL',
    en: 'give the address of PostgreSQL 15 or newer, such as postgres://user:password@host:5432/database, or leave it empty for the embedded one',
  });
  const ofDirect = {
    zh: '应为 PostgreSQL 本身的地址，仅在 DATABASE_URL 是 PgBouncer 的地址时需要',
    en: 'give the address of PostgreSQL itself, needed only where DATABASE_URL is the address of a PgBouncer',
  };
  const databaseDirectUrl = env.secret('DATABASE_DIRECT_URL', address, ofDirect);
  if (databaseDirectUrl !== null && env.text('DATABASE_URL') === null)
    env.report('DATABASE_DIRECT_URL', null, ofDirect);
  const isPooled = databaseDirectUrl !== null;
  const choice = env.read(
    'DATABASE_PREPARED_STATEMENTS',
    z.enum(['on', 'off']),
    oneOf(['on', 'off']),
    isPooled ? 'off' : 'on',
  );
  return {
    databaseUrl,
    databaseDirectUrl,
    databasePoolSize: readWhole(env, 'DATABASE_POOL_SIZE', 1, 200, 10),
    databasePreparedStatements: choice === 'on',
  };
}
