import type { Benchmark } from '../benchmark.ts';
import { table } from '../results.ts';
import { INPUTS, numbersOf } from './inputs.ts';
import { billOf, breaksOf, loadOf } from './simulate.ts';

const USERS = [10_000, 100_000, 1_000_000];

/** Computes, from what the other benchmarks measured, what breaks at which number of users and what it costs. Nothing is measured. */
export const runScale: Benchmark = async () => ({
  body: ['Computed from the figures below; nothing ran.', breaks(), loads(), bills(), inputs()].join('\n\n'),
  postgres: 'no PostgreSQL',
});

function breaks(): string {
  const rows = breaksOf(numbersOf()).map(({ part, users, remedy }) => [part, rounded(users), remedy]);
  return `**What breaks first**\n\n${table(['part', 'users', 'then'], rows)}`;
}

function loads(): string {
  const rows = USERS.map((users) => {
    const load = loadOf(users, numbersOf());
    return [
      rounded(users),
      load.messagesPerSecond,
      load.streams,
      load.tabs,
      load.serverCores,
      load.databaseCores,
      load.messagesGb,
      load.filesGb,
    ];
  });
  const heads = ['users', 'messages / s', 'answers at once', 'tabs', 'server cores', 'PostgreSQL cores'];
  return `**The busiest minute, and what is kept**\n\n${table([...heads, 'messages GB', 'files GB'], rows)}`;
}

function bills(): string {
  const rows = USERS.map((users) => {
    const bill = billOf(users, numbersOf());
    return [
      rounded(users),
      bill.processes,
      bill.databaseCores,
      bill.servers,
      bill.database,
      bill.files,
      bill.traffic,
      bill.machines,
      bill.models,
    ];
  });
  const heads = [
    'users',
    'processes',
    'cores of each of 2 databases',
    'servers',
    'databases',
    'files',
    'traffic',
  ];
  return `**What it costs**, US dollars a month at the list prices below\n\n${table([...heads, 'machines together', 'models'], rows)}`;
}

function inputs(): string {
  const rows = Object.entries(INPUTS).flatMap(([group, all]) =>
    Object.entries(all).map(([name, { value, unit, source }]) => [
      `${group}.${name}`,
      String(value),
      unit,
      source,
    ]),
  );
  return `**Inputs** (\`bench/scale/inputs.ts\`)\n\n${table(['input', 'value', 'unit', 'from'], rows)}`;
}

/** Two digits that count. */
function rounded(users: number): string {
  return Number(users.toPrecision(2)).toLocaleString('en-US');
}
