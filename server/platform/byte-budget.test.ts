import { expect, test } from 'vitest';
import { ByteBudget, OwnerBudgets } from './byte-budget.ts';

const never = new AbortController().signal;

test('whoever wants more than is left waits for those before, in their order', async () => {
  const budget = new ByteBudget(10);
  const got: string[] = [];
  const take = async (name: string, bytes: number, signal = never) => {
    const release = await budget.take(bytes, signal);
    got.push(name);
    return release;
  };
  const first = await take('first', 6);
  const [large, small] = [take('large', 8), take('small', 1)];
  await new Promise(setImmediate);
  expect(got).toEqual(['first']);
  first();
  first();
  (await large)();
  (await small)();
  expect(got).toEqual(['first', 'large', 'small']);
});

test('one that wants more than all of it gets it alone', async () => {
  const budget = new ByteBudget(10);
  const all = await budget.take(1_000, never);
  const next = budget.take(1, never);
  all();
  await expect(next).resolves.toBeInstanceOf(Function);
});

test('one that gives up lets those behind it go on', async () => {
  const budget = new ByteBudget(10);
  await budget.take(5, never);
  const stop = new AbortController();
  const large = budget.take(9, stop.signal);
  const small = budget.take(5, never);
  stop.abort(new Error('enough'));
  await expect(large).rejects.toThrow('enough');
  await expect(small).resolves.toBeInstanceOf(Function);
  await expect(budget.take(1, AbortSignal.abort())).rejects.toThrow();
});

test('owners do not wait for each other', async () => {
  const budgets = new OwnerBudgets(10);
  const got: string[] = [];
  const take = async (owner: string, bytes: number) => {
    const release = await budgets.take(owner, bytes, never);
    got.push(owner);
    return release;
  };
  const first = await take('a', 10);
  const [second, other] = [take('a', 10), take('b', 10)];
  await other;
  expect(got).toEqual(['a', 'b']);
  first();
  (await second)();
  first();
  (await take('a', 10))();
  expect(got).toEqual(['a', 'b', 'a', 'a']);
  await expect(budgets.take('c', 1, AbortSignal.abort())).rejects.toThrow();
});
