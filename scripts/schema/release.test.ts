import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareSchemas } from '#test/upgrades/compare-schemas.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const released = read('test/upgrades/released.sql');
const now = read('server/db/schema.sql');

/** What was looked at, and refuses nothing that the server of the last release writes. Emptied when there is a new release. */
const REVIEWED: Record<string, string> = {
  'credit.hold hold_of_hold_fkey: new':
    'where of_hold is null nothing is checked, and the release writes no other',
  'credit.hold hold_of_another: new': 'the same',
  'public.files files_home: new': 'looser: files of a message came to it',
  'public.files files_home_ready: new': 'the former files_home said it too',
  'public.messages messages_completed_is_charged: new': 'looser: messages that drive a browser came to it',
  'public.search_users search_users_mode: new':
    'looser: two words came to it, which the release leaves as they are',
};

it('what the server of the last release reads, writes and calls is still there', () => {
  expect(compareSchemas(released, now).sort()).toEqual(Object.keys(REVIEWED).sort());
});

/** Changes after which the server of the last release cannot go on, each as one text for another. */
it.each([
  ['a table is gone', 'CREATE TABLE public.mails (', 'CREATE TABLE public.letters (', 'public.mails: gone'],
  [
    'a column has another name',
    '\n  display_name text NOT NULL',
    '\n  shown_name text NOT NULL',
    'public.users.display_name: gone',
  ],
  [
    'a column has another type',
    '\n  cost integer NOT NULL',
    '\n  cost bigint NOT NULL',
    'credit.hold.cost: was integer',
  ],
  [
    'a column must be written now',
    '\n  first_text_ms integer',
    '\n  first_text_ms integer NOT NULL',
    'public.messages.first_text_ms: was',
  ],
  [
    'a new column must be written',
    '\n  display_name text NOT NULL',
    '\n  nick text NOT NULL,\n  display_name text NOT NULL',
    'public.users.nick: has to be written',
  ],
  [
    'a new rule binds an old column',
    '\n  CONSTRAINT users_pkey',
    '\n  CONSTRAINT short CHECK (length(display_name) < 9),\n  CONSTRAINT users_pkey',
    'public.users short: new',
  ],
  [
    'what a statement leans on is not unique any more',
    '\n  CONSTRAINT mails_pkey PRIMARY KEY',
    '\n  CONSTRAINT mails_pkey CHECK',
    'public.mails mails_pkey: gone',
  ],
  [
    'a function takes something else',
    '-- credit.take_hold(p_user uuid, ',
    '-- credit.take_hold(p_user uuid, p_more integer, ',
    'credit.take_hold(p_user uuid, ',
  ],
  ['a view lacks a column', '-- credit.drift (kind, ', '-- credit.drift (', 'credit.drift.kind: gone'],
])('it is noticed when %s', (_, text, other, found) => {
  expect(released.split(text).length, text).toBeGreaterThan(1);
  const breaks = compareSchemas(released, released.replace(text, other));
  expect(breaks).toContainEqual(expect.stringContaining(found));
});

it('it is no obstacle that there are more tables, columns, rules and functions', () => {
  const more = released
    .replace(
      '\n  display_name text NOT NULL',
      '\n  nick text,\n  age integer NOT NULL DEFAULT 0,\n  display_name text NOT NULL',
    )
    .replace('\n  CONSTRAINT users_pkey', '\n  CONSTRAINT young CHECK (age < 150),\n  CONSTRAINT users_pkey')
    .concat(
      '-- public.another(p_user uuid) RETURNS void\nCREATE TABLE public.others (\n  id uuid NOT NULL\n);\n',
    );
  expect(compareSchemas(released, more)).toEqual([]);
});
