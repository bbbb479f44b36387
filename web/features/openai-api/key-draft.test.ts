import { expect, test } from 'vitest';
import { draftOf, readDraft } from './key-draft.ts';

const NOW = new Date('2026-11-21T12:00:00').getTime();

test('an empty form but for the name is a key without limits', () => {
  expect(readDraft({ ...draftOf(null), name: ' Script ' }, NOW)).toEqual({
    key: { name: 'Script', models: null, monthlyCap: null, allowedAddresses: null, expiresAt: null },
  });
});

test('networks are separated as one likes, and a bare address is its own network', () => {
  const draft = { ...draftOf(null), name: 'k', addresses: '10.0.0.0/8，192.0.2.7\n2001:db8::1' };
  expect(readDraft(draft, NOW)).toMatchObject({
    key: { allowedAddresses: ['10.0.0.0/8', '192.0.2.7/32', '2001:db8::1/128'] },
  });
});

test('a key works to the end of its last day, and the form shows that day again', () => {
  const read = readDraft({ ...draftOf(null), name: 'k', lastDay: '2026-11-21' }, NOW);
  const expiresAt = 'key' in read ? (read.key.expiresAt ?? null) : null;
  expect(expiresAt).toBe(new Date('2026-11-22T00:00:00').getTime());
  expect(draftOf({ expiresAt } as Parameters<typeof draftOf>[0]).lastDay).toBe('2026-11-21');
});

test('every wrong field is named', () => {
  const draft = { name: ' ', models: [], monthlyCap: '0', addresses: 'here', lastDay: '2026-11-20' };
  expect(readDraft(draft, NOW)).toEqual({
    wrong: ['name', 'models', 'monthlyCap', 'addresses', 'lastDay'],
  });
});

test('of a key that is there only what was changed is sent, and only that can be wrong', () => {
  const limits = { models: ['a'], monthlyCap: '100', addresses: '10.0.0.0/8', lastDay: '2026-11-20' };
  const opened = { name: 'k', ...limits };
  const read = (change: object) => readDraft({ ...opened, ...change }, NOW, opened);
  expect(read({})).toEqual({ key: {} });
  expect(read({ name: 'Script', models: ['a'] })).toEqual({ key: { name: 'Script' } });
  expect(read({ monthlyCap: '', addresses: '' })).toEqual({
    key: { monthlyCap: null, allowedAddresses: null },
  });
  expect(read({ lastDay: '2026-11-19' })).toEqual({ wrong: ['lastDay'] });
});
