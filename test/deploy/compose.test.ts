import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '#server/config.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { IS_LONG } from '../runs.ts';
import { KNOWN_SETTINGS, MAX_ANSWER_MS, stopMs } from './known-settings.ts';

const TEXT = readFileSync('compose.yaml', 'utf8');
const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const OPERATIONS = readFileSync('docs/operations.md', 'utf8');

const serviceSchema = z.object({
  profiles: z.array(z.string()).default([]),
  image: z.string().optional(),
  build: z.object({ context: z.literal('.'), target: z.string().optional() }).optional(),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
  networks: z.array(z.string()).default(['default']),
});
const compose = z
  .object({ services: z.record(z.string(), serviceSchema), networks: z.record(z.string(), z.unknown()) })
  .parse(parse(TEXT, { strict: true, uniqueKeys: true }));

function service(name: string) {
  const found = compose.services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
}

/** The value of a setting of the server with these variables in `.env`, by Compose's rules. */
function settingOf(name: string, env: Record<string, string> = {}): string {
  const text = service('parley').environment[name] ?? '';
  return text.replaceAll(
    /\$\{(\w+)(?::([-+])([^}]*))?\}/g,
    (_, variable: string, sign: string, other = '') => {
      const value = env[variable] ?? '';
      if (sign === '+') return value && other;
      return value || other;
    },
  );
}

describe('compose.yaml', () => {
  it('names settings that there are, or that are explained', () => {
    const named = [...TEXT.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    const own = [
      ...Object.keys(service('parley').environment),
      ...Object.keys(service('browser').environment),
    ];
    const unknown = [...named, ...own].filter((name) => !KNOWN_SETTINGS.has(name));
    expect(named.length).toBeGreaterThan(10);
    const texts = OPERATIONS + readFileSync('deploy/caddy/Caddyfile', 'utf8');
    expect(unknown.filter((name) => !texts.includes(name))).toEqual([]);
  });

  it.each([
    ['database', {}, null],
    ['pgbouncer', { DATABASE_SERVICE: 'pgbouncer' }, 'postgres://parley@database:5432/parley'],
  ] as const)('gives the server settings that it takes, with %s', (host, env, direct) => {
    const names = Object.keys(service('parley').environment);
    const settings = Object.fromEntries(names.map((name) => [name, settingOf(name, env)]));
    const rest = { DATA_DIR: tmpdir(), AUTH_SECRET: 'a secret of thirty-two characters or more' };
    const config = loadConfig({ NODE_ENV: 'production', EMULATORS: 'off', ...settings, ...rest });
    expect(config).toMatchObject({
      databaseUrl: `postgres://parley@${host}:5432/parley`,
      databaseDirectUrl: direct,
      publicUrl: 'http://localhost:3000',
      port: 3_000,
    });
    expect(Object.keys(compose.services)).toContain(host);
  });

  it('has longer to stop than the server takes, and answers longer than they may take', () => {
    const deadline = Number(settingOf('SHUTDOWN_DEADLINE_MS'));
    const [, seconds] = /^(\d+)s$/.exec(service('parley').stop_grace_period ?? '') ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(stopMs(deadline));
    expect(deadline).toBeGreaterThan(MAX_ANSWER_MS);
  });

  it('waits for the health of what says it', () => {
    const waits = Object.values(compose.services).flatMap(({ depends_on }) => Object.entries(depends_on));
    expect(waits.length).toBeGreaterThan(3);
    for (const [name, { condition }] of waits) {
      expect(condition).toBe('service_healthy');
      const isOfImage = name === 'parley' && DOCKERFILE.includes('/readyz');
      expect([name, isOfImage || service(name).healthcheck !== undefined]).toEqual([name, true]);
    }
  });

  it('starts server and database by itself, and what is chosen by a profile that is explained', () => {
    const all = Object.entries(compose.services);
    expect(all.filter(([, { profiles }]) => profiles.length === 0).map(([name]) => name)).toEqual([
      'parley',
      'database',
    ]);
    const chosen = all.flatMap(([, { profiles }]) => profiles);
    for (const profile of chosen) expect(OPERATIONS).toContain(`--profile ${profile}`);
    for (const [, { profiles, depends_on }] of all)
      for (const [name, { required }] of Object.entries(depends_on))
        if (profiles.length === 0 && service(name).profiles.length > 0)
          expect([name, required]).toEqual([name, false]);
  });

  it('builds stages that there are, on networks that there are', () => {
    for (const { build, networks } of Object.values(compose.services)) {
      if (build?.target) expect(DOCKERFILE).toContain(` AS ${build.target}\n`);
      for (const name of networks) expect(['default', ...Object.keys(compose.networks)]).toContain(name);
    }
  });
});

describe('the password of the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-compose-'));
  afterEach(() => {
    delete process.env.PGPASSWORD;
    rmSync(folder, { recursive: true, force: true });
  });

  it('stands in no address', () => {
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
      expect(service('parley').environment[name]).not.toContain('PASSWORD');
    const password = 'p@ss/w#rd?:%20 "x"';
    expect(settingOf('PGPASSWORD', { POSTGRES_PASSWORD: password })).toBe(password);
  });

  it.runIf(IS_LONG)('may have any characters', async () => {
    const password = 'p@ss/w#rd?:%20 "x"';
    const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false });
    const trusted = connectPostgres(postgres.url, { max: 1 });
    await trusted.unsafe(`alter role parley password '${password}'`);
    writeFileSync(join(postgres.folder, 'pg_hba.conf'), 'local all all scram-sha-256\n');
    await trusted`select pg_reload_conf()`;
    const sign = async () => {
      const sql = connectPostgres(postgres.url, { max: 1 });
      return sql`select 1 as one`.catch((error) => error.code).finally(() => sql.end());
    };
    await expect.poll(sign).toBe('28P01');
    process.env.PGPASSWORD = password;
    expect(await sign()).toEqual([{ one: 1 }]);
    await trusted.end();
    await postgres.stop();
  });
});
