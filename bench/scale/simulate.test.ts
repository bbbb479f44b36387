import { describe, expect, it } from 'vitest';
import { numbersOf } from './inputs.ts';
import { billOf, breaksOf, loadOf, processesFor, usersAt } from './simulate.ts';

const usersOf = (part: string, numbers = numbersOf()) =>
  breaksOf(numbers).find((one) => one.part === part)?.users ?? Number.NaN;

describe('the load', () => {
  it('is the mean of a day, times the peak', () => {
    const numbers = numbersOf({ traffic: { activeShare: 0.5, messages: 2, peak: 3, seconds: 10 } });
    const load = loadOf(86_400, numbers);
    expect(load.messagesPerSecond).toBeCloseTo(3);
    expect(load.streams).toBeCloseTo(30);
  });

  it('of a process grows with the length of answers, and what is kept does not', () => {
    const [short, long] = [4, 12].map((seconds) => loadOf(1_000_000, numbersOf({ traffic: { seconds } })));
    expect((long?.serverCores ?? 0) / (short?.serverCores ?? 1)).toBeCloseTo(3);
    expect(long?.messagesGb).toBe(short?.messagesGb);
  });

  it('grows with its users, evenly', () => {
    const [one, ten] = [loadOf(100_000, numbersOf()), loadOf(1_000_000, numbersOf())];
    for (const key of Object.keys(one) as (keyof typeof one)[]) expect(ten[key] / one[key]).toBeCloseTo(10);
  });

  it('takes as many processes as the scarcest of cores, answers and tabs asks for', () => {
    const load = { ...loadOf(1, numbersOf()), streams: 1_001 };
    expect(processesFor(load, numbersOf())).toBe(3);
    expect(processesFor({ ...load, serverCores: 7 }, numbersOf())).toBe(10);
    expect(processesFor({ ...load, tabs: 400_000 }, numbersOf())).toBe(14);
    expect(processesFor(loadOf(1, numbersOf()), numbersOf())).toBe(1);
  });
});

describe('a part breaks', () => {
  it('where it is used up, to a thousandth', () => {
    expect(usersAt((users) => users / 12_345) / 12_345).toBeCloseTo(1, 2);
  });

  it('in the order of users, the first one first', () => {
    const users = breaksOf(numbersOf()).map((one) => one.users);
    expect(users).toEqual(users.toSorted((one, other) => one - other));
    expect(users).toHaveLength(9);
  });

  it('later by as much as its capacity is larger', () => {
    const twice = numbersOf({ measured: { streams: 1_000 } });
    const part = 'answers at once of one process';
    expect(usersOf(part, twice) / usersOf(part)).toBeCloseTo(2, 2);
  });

  it('for want of connections with the eighth process', () => {
    const users = usersOf('connections to PostgreSQL');
    const processes = (share: number) => processesFor(loadOf(users * share, numbersOf()), numbersOf());
    expect([processes(0.99), processes(1.01)]).toEqual([7, 8]);
  });
});

describe('the bill', () => {
  it('has a process and a database more than the load needs', () => {
    const bill = billOf(1, numbersOf());
    expect([bill.processes, bill.databaseCores]).toEqual([2, 2]);
  });

  it('adds up, and counts models apart', () => {
    const bill = billOf(1_000_000, numbersOf());
    expect(bill.machines).toBeCloseTo(bill.servers + bill.database + bill.files + bill.traffic);
    const dearer = billOf(1_000_000, numbersOf({ prices: { outputTokens: 25 } }));
    expect(dearer.machines).toBe(bill.machines);
    expect(dearer.models).toBeGreaterThan(5 * bill.models);
  });
});
