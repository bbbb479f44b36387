import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { CHOICES } from './choices.ts';
import { describeDistribution, distributionIn } from './describe-distribution.ts';
import { type Choice, planDistribution } from './plan-distribution.ts';
import { readRelations } from './read-relations.ts';

describe.for(POSTGRES_VERSIONS)('on PostgreSQL %i', (version) => {
  it('docs/scaling.md lists what each table needs to be distributed by user (else: npm run schema)', async () => {
    const test = await createTestDatabase({ version });
    const relations = await test.database.sql.begin(readRelations);
    const plan = planDistribution(relations, CHOICES);
    expect(describeDistribution(plan)).toBe(distributionIn(readFileSync('docs/scaling.md', 'utf8')));
    expect(plan.tables.filter(({ place }) => place === 'unknown')).toEqual([]);
    const names = relations.tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(CHOICES)));
    await test.drop();
  });
});

let small: TestDatabase;
beforeAll(async () => {
  small = await createEmptyDatabase();
});
afterAll(() => small.drop());

/** What each table of a database of these statements needs, and what each function reaches. */
async function plan(statements: string, choices: Record<string, Choice> = {}) {
  const { sql } = small.database;
  await sql.unsafe(
    'drop schema public cascade; create schema public; create table users (id uuid primary key)',
  );
  await sql.unsafe(statements);
  const { tables, routines } = planDistribution(await sql.begin(readRelations), choices);
  return {
    needs: Object.fromEntries(tables.map(({ name, needs }) => [name.replace('public.', ''), needs])),
    reaches: Object.fromEntries(
      routines.map(({ name, reaches }) => [
        name.replace('public.', ''),
        reaches.map(({ table }) => table.replace('public.', '')),
      ]),
    ),
  };
}

const OWNED = `create table notes (user_id uuid not null references users (id) on delete cascade, id uuid not null, body text,
  primary key (user_id, id));`;

describe('a table is distributed by its owner', () => {
  it('as it stands, with the owner in its keys and foreign keys', async () => {
    const { needs } = await plan(OWNED);
    expect(needs).toEqual({ users: [], notes: [] });
  });

  it.for([
    ['a unique index of what we make', 'create unique index of_id on notes (id)', ['`user_id` in `of_id`']],
    [
      'a unique index of what users say',
      'create unique index of_body on notes (body) where body is not null',
      ['a table of all users for `of_body`'],
    ],
    [
      'a unique index of an expression',
      'create unique index of_end on notes (right(id::text, 2))',
      ['a table of all users for `of_end`'],
    ],
    [
      'an index that only carries the owner',
      'create unique index of_id on notes (id) include (user_id)',
      ['`user_id` in `of_id`'],
    ],
    [
      'an owner that may be missing',
      'alter table notes drop constraint notes_pkey, alter user_id drop not null',
      ['another place for rows whose `user_id` is null'],
    ],
    [
      'a foreign key past the owner',
      'alter table notes add unique (id), add above uuid, add constraint up foreign key (above) references notes (id)',
      ['`user_id` in `notes_id_key`', '`user_id` in `up`'],
    ],
    [
      'a foreign key that would change the owner',
      'alter table notes add constraint away foreign key (user_id) references users (id) on delete set null',
      ['another `ON DELETE` of `away`, which would change the owner'],
    ],
    [
      'a small number by a sequence',
      'alter table notes add n integer generated always as identity',
      ['`n` as `bigint`'],
    ],
  ] as const)('but not with %s', async ([, statement, expected]) => {
    const { needs } = await plan(`${OWNED} ${statement}`);
    expect(needs.notes).toEqual(expected);
  });

  it('through another table only with a column of its own', async () => {
    const { needs } = await plan('create table pages (note_id uuid primary key, body text)');
    expect(needs.pages).toEqual(['a column `user_id` beside `note_id`', '`user_id` in `pages_pkey`']);
  });
});

describe('a table without an owner', () => {
  const DAYS = `create table days (day date primary key);
    alter table notes add day date references days; alter table days add last uuid references users (id);`;

  it('needs a choice', async () => {
    const { needs } = await plan('create table days (day date primary key)');
    expect(needs.days).toEqual(['a place in choices.ts: no column leads to a user']);
  });

  it('is led to as a reference table, and leads to no distributed one', async () => {
    const { needs } = await plan(OWNED + DAYS, { 'public.days': { place: 'reference', why: '' } });
    expect(needs.notes).toEqual([]);
    expect(needs.days).toEqual(['to lose `days_last_fkey`, which leads to a distributed table']);
  });

  it('is not led to on the coordinator', async () => {
    const { needs } = await plan(OWNED + DAYS, { 'public.days': { place: 'local', why: '' } });
    expect(needs.notes).toEqual(['to lose `notes_day_fkey`, which leads to a table on the coordinator']);
  });
});

describe('a function', () => {
  const body = (statements: string) =>
    `${OWNED} create table counts (name text primary key, n integer);
     create function f(p_user uuid) returns void language plpgsql as $$ begin ${statements} end $$;`;
  const choices: Record<string, Choice> = { 'public.counts': { place: 'local', why: '' } };

  it.for([
    ['a statement of one user', "update notes set body = '' where user_id = p_user;", []],
    ['a row of one user', 'insert into notes (user_id, id) values (p_user, p_user);', []],
    [
      'a join in which each names its owner',
      'perform from notes a join notes b on b.user_id = a.user_id where a.user_id = p_user;',
      [],
    ],
    ['a statement by another id', "update notes set body = '' where id = p_user;", ['notes']],
    ['a statement that only reads the owner', 'perform user_id from notes;', ['notes']],
    [
      'a join that leaves one owner out',
      'perform from notes a join notes b on b.id = a.id where a.user_id = p_user;',
      ['notes'],
    ],
    [
      'a query inside of another',
      'perform from users where id = p_user and exists (select from notes where length(body) > 1);',
      ['notes'],
    ],
    ['a table without an owner', 'update counts set n = n + 1;', ['counts']],
    ['words in a text or a remark', "raise notice 'delete from notes'; -- delete from notes\n", undefined],
  ] as const)('%s', async ([, statements, expected]) => {
    const { reaches } = await plan(body(statements), choices);
    expect(reaches.f).toEqual(expected);
  });

  it('reaches what it calls reaches, and a trigger counts for its table', async () => {
    const { needs, reaches } = await plan(
      `${body('update counts set n = n + 1;')}
       create function g(p_user uuid) returns void language sql as 'select f(p_user)';
       create function h() returns trigger language plpgsql as $$ begin perform g(new.user_id); return null; end $$;
       create trigger counted after insert on notes for each row execute function h();`,
      choices,
    );
    expect(reaches.g).toEqual(['counts']);
    expect(needs.notes).toEqual(['`counted` not to reach `counts`, in which no user is named']);
  });
});
