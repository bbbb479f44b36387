import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { createAuth } from './create-auth.ts';

let app: TestApp;
type Adapter = Awaited<ReturnType<typeof createAuth>['$context']>['adapter'];
let adapter: Adapter;
beforeAll(async () => {
  app = await createTestApp();
  adapter = (await createAuth(app.deps).$context).adapter;
});
afterAll(() => app.close());

const HOUR = 3_600_000;
const proof = (identifier: string, value: string, inHours = 1) => ({
  identifier,
  value,
  expiresAt: new Date(Date.now() + inHours * HOUR),
  createdAt: new Date(),
  updatedAt: new Date(),
});
type Proof = ReturnType<typeof proof> & { id: string };

const create = (...rows: ReturnType<typeof proof>[]) =>
  Promise.all(
    rows.map((data) => adapter.create<ReturnType<typeof proof>, Proof>({ model: 'verification', data })),
  );
const valuesOf = async (where: Parameters<Adapter['findMany']>[0]['where']) =>
  (
    await adapter.findMany<Proof>({
      model: 'verification',
      where,
      sortBy: { field: 'value', direction: 'asc' },
    })
  ).map(({ value }) => value);

describe('rows of the identity library', () => {
  it('come back as they were stored, under its own names', async () => {
    const data = proof('round-trip', 'it\'s "quoted" \\ 你好 🙂');
    const [created] = await create(data);
    expect(created).toEqual({ id: expect.any(String), ...data });
    const where = [{ field: 'id', value: created?.id ?? '' }];
    expect(await adapter.findOne({ model: 'verification', where })).toEqual(created);
    expect(await adapter.findOne({ model: 'verification', where, select: ['value'] })).toEqual({
      value: data.value,
    });
    expect(
      await adapter.findOne({ model: 'verification', where: [{ field: 'id', value: newId() }] }),
    ).toBeNull();
  });

  it.each([
    ['eq', 'value', 'b', ['b']],
    ['ne', 'value', 'b', ['B%', 'a', 'c_']],
    ['in', 'value', ['a', 'b', 'z'], ['a', 'b']],
    ['not_in', 'value', ['a', 'b'], ['B%', 'c_']],
    ['contains', 'value', '%', ['B%']],
    ['contains', 'value', '_', ['c_']],
    ['starts_with', 'value', 'B', ['B%']],
    ['ends_with', 'value', '_', ['c_']],
    ['gt', 'expiresAt', 90, ['c_']],
    ['gte', 'expiresAt', -90, ['B%', 'a', 'b', 'c_']],
    ['lt', 'expiresAt', 90, ['B%', 'a', 'b']],
    ['lte', 'expiresAt', 0, ['a']],
  ] as const)('are found where %s of %s says so (%j)', async (operator, field, value, found) => {
    const identifier = `find-${operator}-${String(value)}`;
    await create(
      proof(identifier, 'a', -1),
      proof(identifier, 'b'),
      proof(identifier, 'B%'),
      proof(identifier, 'c_', 2),
    );
    const wanted = typeof value === 'number' ? new Date(Date.now() + value * 60_000) : value;
    const where = [
      { field: 'identifier', value: identifier },
      { field, operator, value: Array.isArray(wanted) ? [...wanted] : (wanted as string | Date) },
    ];
    expect((await valuesOf(where)).sort()).toEqual([...found]);
  });

  it('are found by any of several conditions, and without regard to case', async () => {
    await create(...['a', 'b', 'B', 'c'].map((value) => proof('any', value)));
    const only = { field: 'identifier', value: 'any' };
    const either = ['a', 'c'].map((value) => ({ field: 'value', value, connector: 'OR' as const }));
    expect(await valuesOf([only, ...either])).toEqual(['a', 'c']);
    expect((await valuesOf([only, { field: 'value', value: 'b', mode: 'insensitive' }])).sort()).toEqual([
      'B',
      'b',
    ]);
  });

  it('are counted, paged and sorted', async () => {
    await create(...['a', 'b', 'c', 'd'].map((value) => proof('page', value)));
    const where = [{ field: 'identifier', value: 'page' }];
    expect(await adapter.count({ model: 'verification', where })).toBe(4);
    const sortBy = { field: 'value', direction: 'desc' as const };
    const page = await adapter.findMany<Proof>({ model: 'verification', where, sortBy, limit: 2, offset: 1 });
    expect(page.map(({ value }) => value)).toEqual(['c', 'b']);
  });

  it('are changed and deleted, and say how many were', async () => {
    await create(...['a', 'b', 'c'].map((value) => proof('change', value)));
    const all = [{ field: 'identifier', value: 'change' }];
    const one = [...all, { field: 'value', value: 'a' }];
    expect(
      await adapter.update<Proof>({ model: 'verification', where: one, update: { value: 'A' } }),
    ).toMatchObject({
      value: 'A',
    });
    expect(await adapter.update({ model: 'verification', where: one, update: { value: 'x' } })).toBeNull();
    expect(await adapter.updateMany({ model: 'verification', where: all, update: { value: 'z' } })).toBe(3);
    expect(await valuesOf(all)).toEqual(['z', 'z', 'z']);
    expect(await adapter.deleteMany({ model: 'verification', where: all })).toBe(3);
    await adapter.delete({ model: 'verification', where: all });
  });

  it('are consumed by exactly one of fifty at once', async () => {
    await create(proof('consume', 'once'));
    const where = [{ field: 'identifier', value: 'consume' }];
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => adapter.consumeOne<Proof>({ model: 'verification', where })),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('that a failed transaction wrote are gone', async () => {
    const where = [{ field: 'identifier', value: 'rollback' }];
    const work = adapter.transaction(async (inside) => {
      await inside.create({ model: 'verification', data: proof('rollback', 'x') });
      expect(await inside.count({ model: 'verification', where })).toBe(1);
      expect(await adapter.count({ model: 'verification', where })).toBe(0);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await adapter.count({ model: 'verification', where })).toBe(0);
  });
});
