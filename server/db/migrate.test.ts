import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase, migrateTo } from '#test/database/old-database.ts';
import { IS_LONG } from '#test/runs.ts';
import { isMigrated, migrate } from './migrate.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Each migration with the beginning of its SHA-256. Databases in use have applied them: a new one adds a line, no line changes. */
const MIGRATIONS = {
  '0000_accounts.sql': '83c07cacdb35',
  '0001_credits.sql': '0a260b6d9e25',
  '0002_billing.sql': '3ee4699e2933',
  '0003_chat.sql': 'b3cd2b10cd04',
  '0004_payments.sql': '375a758fb53c',
  '0005_conversations.sql': 'c58f7a33b805',
  '0006_api.sql': 'ad6a43bb3a22',
  '0007_mail.sql': '613351ba34dd',
  '0008_sessions.sql': '45639947daec',
  '0009_confirmation.sql': '4562ca768ba6',
  '0010_google.sql': '95934d43f651',
  '0011_factors.sql': '3320df573d75',
  '0012_leaving.sql': '2e3741dd4155',
  '0013_email.sql': '0a2cbbaa12c0',
  '0014_withheld.sql': '4c5ee7545c8d',
  '0015_search_grams.sql': '3bac2705da67',
  '0016_search_slots.sql': '642a546a195e',
  '0017_short_checks.sql': '38fc651c8864',
  '0018_check_functions.sql': '4a087c2e3658',
  '0019_credentials.sql': '5fad287c294a',
  '0020_strangers.sql': '2b04eafd1d0b',
  '0021_restored_credits.sql': 'f12fe434fe3a',
  '0022_reconciliation.sql': '3b9c04d3826a',
  '0023_finish_reason.sql': 'a298d5f6e5b9',
  '0024_due_by_index.sql': '4fa073e31247',
  '0025_chains.sql': '0e7c8bdc761b',
  '0026_plain_checks.sql': '6db5de950b52',
  '0027_factor_names.sql': '2c85a46d91c1',
  '0028_bounds.sql': '08eb3aaaf2da',
  '0029_search_index.sql': 'f671fe9b5468',
  '0030_links.sql': '818ea9df5954',
  '0032_words.sql': '0aa7bda163cb',
  '0033_checked_ledger.sql': '3fa0332a4db2',
  '0034_free_messages.sql': '4e83b1e39a83',
  '0035_title_source.sql': '33f96fe56d1a',
  '0036_order_numbers.sql': '662b1e35c791',
  '0039_parts.sql': '6603804784d0',
  '0040_files.sql': 'cfa81966466d',
  '0041_inbox_order.sql': 'b0913070aa32',
  '0044_made_files.sql': '99b7a3645c43',
  '0046_computer.sql': 'b4decc38df0f',
  '0047_reading_turns.sql': '822dcfa06b73',
  '0048_kept_files.sql': '0868647f33ef',
  '0049_provider_costs.sql': '92900bbe7d50',
  '0050_operators.sql': '239aa234ff68',
  '0051_operator_alerts.sql': 'bc8fc0a20547',
  '0052_paused_models.sql': '8d2eb6c9e0bc',
  '0053_kept_place.sql': 'f04c4be548a9',
  '0054_more_indexes.sql': '2189a78bacde',
  '0055_key_months.sql': '37361cfa7fca',
  '0056_file_usage.sql': 'bb83af251c53',
  '0057_read_texts.sql': '7fed4c46908f',
  '0058_model_prices.sql': 'a58d88a0fb2a',
  '0059_newest_by_btree.sql': 'f96b7f39974e',
  '0060_mails_of_users.sql': 'da0551cd19a0',
  '0061_recovery_memory.sql': '989c94860ff0',
  '0062_targets_and_addresses.sql': 'bbcffaa6b0b2',
  '0063_unlogged_frames.sql': 'af4e4b63b8cb',
};

it('no migration that a database may have is changed, renamed or gone', () => {
  const found = readdirSync(FOLDER).map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('\r\n', '\n');
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 12)];
  });
  expect(Object.fromEntries(found)).toEqual(MIGRATIONS);
});

describe.for([18, 15] as const)('on PostgreSQL %i', (version) => {
  it('an empty database is brought to the newest schema once, whoever asks', async () => {
    const test = await createEmptyDatabase({ version });
    const { sql } = test.database;
    await Promise.all([migrate(test.url), migrate(test.url), migrate(test.url)]);
    expect(await isMigrated(sql)).toBe(true);
    const applied = await sql`select * from schema_migrations order by name`;
    expect(applied.length).toBeGreaterThanOrEqual(4);
    await migrate(test.url);
    expect([...(await sql`select * from schema_migrations order by name`)]).toEqual([...applied]);
    await test.drop();
  });
});

it('a database that lacks a migration is not ready, and one that has more is', async () => {
  const test = await createTestDatabase();
  const { sql } = test.database;
  await sql`insert into schema_migrations (name, hash) values ('9999_later.sql', '')`;
  expect(await isMigrated(sql)).toBe(true);
  await migrate(test.url);
  await sql`delete from schema_migrations where name like '0003%'`;
  expect(await isMigrated(sql)).toBe(false);
  await test.drop();
});

it('a migration that was changed after it had been applied is refused, and nothing is done', async () => {
  const test = await createTestDatabase();
  await test.database.sql`update schema_migrations set hash = 'other' where name = '0000_accounts.sql'`;
  await expect(migrate(test.url)).rejects.toThrow('0000_accounts.sql was changed');
  await test.drop();
});

it('a shop of before 0022 keeps who is asked about when, and the address of each checkout', async () => {
  const test = await createEmptyDatabase();
  const { sql } = test.database;
  await migrateTo(sql, '0018');
  const [user] = await sql`
    insert into users (id, email, display_name, created_at, last_login_at)
    values (gen_random_uuid(), 'me@example.test', 'Me', now(), now()) returning id`;
  await sql`insert into billing.account (user_id, ask_at, asked_times) values (${user?.id}, '2027-01-01', 3)`;
  await sql`
    insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, created_at)
    values (gen_random_uuid(), ${user?.id}, 'creem', 'p', 'gemini_pro', 'monthly', 1190, 'USD', 1500, now())`;
  await migrate(test.url);
  expect([...(await sql`select provider, user_id, ask_at, asked_times from billing.polls`)]).toEqual([
    { provider: 'creem', user_id: user?.id, ask_at: new Date('2027-01-01'), asked_times: 3 },
  ]);
  expect([...(await sql`select buyer_email from billing.orders`)]).toEqual([
    { buyer_email: 'me@example.test' },
  ]);
  await test.drop();
});

it('a mail of before 0060 to an address that its user gave up, or only asked for, is known as theirs', async () => {
  const test = await createEmptyDatabase();
  const { sql } = test.database;
  await migrateTo(sql, '0059');
  const insert = async (email: string) => {
    const [user] = await sql<{ id: string }[]>`
      insert into users (id, email, display_name, created_at, last_login_at)
      values (gen_random_uuid(), ${email}, 'Me', now(), now()) returning id`;
    return user?.id ?? '';
  };
  const mail = (key: string, to: string) => sql`
    insert into mails (id, key, template, to_address, language, params, created_at, next_try_at)
    values (gen_random_uuid(), ${key}, 'any', ${to}, 'en', '{}', now(), now())`;
  const mine = await insert('new@example.test');
  await insert('taken@example.test');
  const [change] = await sql<{ id: string }[]>`
    insert into email_changes (id, user_id, new_email, expires_at)
    values (gen_random_uuid(), ${mine}, 'asked@example.test', now()) returning id`;
  await mail('receipt:0', 'older@example.test');
  await mail('email_changed:0:old', 'older@example.test');
  await mail('email_changed:0:new', 'old@example.test');
  await mail('receipt:1', 'old@example.test');
  await mail('receipt:2', 'new@example.test');
  await mail('receipt:3', 'taken@example.test');
  for (const [id, former] of [
    ['a', 'old@example.test'],
    ['b', 'taken@example.test'],
  ] as const) {
    await mail(`email_changed:${id}:old`, former);
    await mail(`email_changed:${id}:new`, 'new@example.test');
  }
  await mail(`email_change_new:${change?.id}`, 'asked@example.test');
  await migrate(test.url);
  const owned =
    await sql`select to_address as "to", user_id as "userId" from mails where user_id is not null order by key`;
  const of = (to: string) => ({ to, userId: mine });
  const [asked, old, older] = ['asked', 'old', 'older'].map((name) => of(`${name}@example.test`));
  expect([...owned]).toEqual([asked, old, older, old, older, old]);
  await test.drop();
});

describe('functions', () => {
  const body = async (sql: Sql) =>
    (await sql`select prosrc from pg_proc where proname = 'free_month_start'`)[0]?.prosrc as string;
  const change = (sql: Sql) =>
    sql`create or replace function credit.free_month_start(p_anchor timestamptz, p_n integer) returns timestamptz
          language sql immutable as 'select p_anchor'`;
  const forget = (sql: Sql) => sql`update schema_functions set hash = 'other' where file = 'credits.sql'`;

  it('are applied again when their text is not what was applied last, and only then', async () => {
    const test = await createTestDatabase();
    const { sql } = test.database;
    const before = await body(sql);
    await change(sql);
    await migrate(test.url);
    expect(await body(sql)).toBe('select p_anchor');
    await forget(sql);
    await Promise.all([migrate(test.url), migrate(test.url)]);
    expect(await body(sql)).toBe(before);
    await test.drop();
  });

  it('of a newer program stay when an older one starts beside it', async () => {
    const test = await createTestDatabase();
    const { sql } = test.database;
    await sql`insert into schema_migrations (name, hash) values ('9999_later.sql', '')`;
    await change(sql);
    await forget(sql);
    await migrate(test.url);
    expect(await body(sql)).toBe('select p_anchor');
    await test.drop();
  });

  it.runIf(IS_LONG)(
    'are applied after every migration, which may have dropped what stands on a table',
    async () => {
      const test = await createEmptyDatabase();
      const { sql } = test.database;
      await migrateTo(sql, '0025');
      const fresh = await createTestDatabase();
      const applied = await fresh.database.sql`select file, hash from schema_functions`;
      await sql`create table schema_functions (file text primary key, hash text not null, applied_at timestamptz not null default now())`;
      await sql`insert into schema_functions ${sql(applied)}`;
      await sql`drop view credit.unrecovered`;
      await migrate(test.url);
      expect([...(await sql`select * from credit.unrecovered`)]).toEqual([]);
      await Promise.all([test.drop(), fresh.drop()]);
    },
  );
});

it('what was added without reading the table is read afterwards', async () => {
  const test = await createTestDatabase();
  const { sql } = test.database;
  await sql`alter table credit.hold drop constraint hold_cost_check, add constraint hold_cost_check check (cost > 0) not valid`;
  await migrate(test.url);
  expect([...(await sql`select conname from pg_constraint where not convalidated`)]).toEqual([]);
  await test.drop();
});

it.runIf(IS_LONG)(
  'a migration that a transaction of a running server blocks in a circle is tried again',
  async () => {
    const test = await createTestDatabase();
    const { sql } = test.database;
    await sql`update schema_functions set hash = 'other' where file = 'credits.sql'`;
    // Whoever waits at first looks for a circle after three seconds; the running server's transaction only later.
    await sql.unsafe(`alter database "${new URL(test.url).pathname.slice(1)}" set deadlock_timeout = '3s'`);
    let migrating: Promise<void> | undefined;
    await sql.begin(async (tx) => {
      await tx`set local deadlock_timeout = '60s'`;
      await tx`lock table credit.hold in row exclusive mode`;
      migrating = migrate(test.url);
      const isWaiting = async () =>
        (await sql`select from pg_locks where not granted and relation = 'credit.hold'::regclass`).length > 0;
      while (!(await isWaiting())) await sleep(10);
      await tx`lock table credit.transfer in row exclusive mode`;
    });
    await migrating;
    const [row] = await sql`select hash <> 'other' as done from schema_functions where file = 'credits.sql'`;
    expect(row?.done).toBe(true);
    await test.drop();
  },
);
