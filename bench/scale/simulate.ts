import type { Numbers } from './inputs.ts';

const DAY_S = 86_400;
const MONTH_DAYS = 30.4;
const GB = 1e9;

/** What users ask of the product in the busiest minute, and what is kept of them. */
export interface Load {
  messagesPerSecond: number;
  streams: number;
  tabs: number;
  serverCores: number;
  databaseCores: number;
  webhooksPerSecond: number;
  messagesGb: number;
  filesGb: number;
  messagesPerMonth: number;
}

/** The load of so many users. */
export function loadOf(users: number, { measured, traffic }: Numbers): Load {
  const perDay = users * traffic.activeShare * traffic.messages;
  const messagesPerSecond = (perDay / DAY_S) * traffic.peak;
  // A longer answer costs more; its fixed part is counted too often, so this errs on the dear side.
  const longer = traffic.seconds / measured.seconds;
  const kept = perDay * MONTH_DAYS * traffic.months;
  const paying = users * traffic.payingShare;
  return {
    messagesPerSecond,
    streams: messagesPerSecond * traffic.seconds,
    tabs: users * traffic.tabShare,
    serverCores: messagesPerSecond * measured.serverCpu * longer,
    databaseCores: messagesPerSecond * measured.databaseCpu * longer,
    webhooksPerSecond: ((paying * traffic.webhooks) / (MONTH_DAYS * DAY_S)) * traffic.peak,
    messagesGb: (kept * measured.messageBytes) / GB,
    filesGb: (kept * traffic.files * traffic.fileBytes) / GB,
    messagesPerMonth: perDay * MONTH_DAYS,
  };
}

/** Processes that so much load needs, without a spare one. */
export function processesFor(load: Load, { measured, limits }: Numbers): number {
  const tabsOfOne = (limits.processGb * 1_000 - measured.processMb) / measured.tabMb;
  return Math.max(
    1,
    Math.ceil(load.streams / measured.streams),
    Math.ceil(load.serverCores / limits.busy),
    Math.ceil(load.tabs / tabsOfOne),
  );
}

interface Part {
  part: string;
  /** The share of it that so many users take; above 1 it breaks. */
  use(users: number): number;
  remedy: string;
}

/** A part, and the number of users at which it breaks. */
export interface Break {
  part: string;
  users: number;
  remedy: string;
}

/** All parts, the first to break first. */
export function breaksOf(numbers: Numbers): Break[] {
  return partsOf(numbers)
    .map(({ part, use, remedy }) => ({ part, remedy, users: usersAt(use) }))
    .sort((one, other) => one.users - other.users);
}

/** The largest number of users, to about a thousandth, of whom a part is not used up; `use` grows with them. */
export function usersAt(use: (users: number) => number): number {
  let [low, high] = [1, 1e10];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (use(middle) > 1) high = middle;
    else low = middle;
  }
  return low;
}

function partsOf(numbers: Numbers): Part[] {
  const { measured, limits } = numbers;
  const load = (users: number) => loadOf(users, numbers);
  const processes = (users: number) => processesFor(load(users), numbers);
  const tabsGb = (users: number) => (measured.processMb + load(users).tabs * measured.tabMb) / 1_000;
  return [
    {
      part: 'files in the database',
      use: (users) => load(users).filesGb / limits.filesGb,
      remedy: '`FILES_S3_*`',
    },
    {
      part: 'the core of one process',
      use: (users) => load(users).serverCores / limits.busy,
      remedy: 'more processes',
    },
    {
      part: 'answers at once of one process',
      use: (users) => load(users).streams / measured.streams,
      remedy: 'more processes',
    },
    {
      part: 'tabs of one process',
      use: (users) => tabsGb(users) / limits.processGb,
      remedy: 'more processes',
    },
    {
      part: 'connections to PostgreSQL',
      use: (users) => (processes(users) * measured.connections) / limits.serverConnections,
      remedy: 'PgBouncer',
    },
    {
      part: 'the size of one database, files aside',
      use: (users) => load(users).messagesGb / limits.databaseGb,
      remedy: 'Citus, on paper',
    },
    {
      part: 'commits a second',
      use: (users) =>
        (load(users).messagesPerSecond * measured.messageCommits +
          processes(users) * measured.flushes +
          load(users).webhooksPerSecond) /
        (measured.commits * limits.busy),
      remedy: 'a faster disk, then Citus, on paper',
    },
    {
      part: 'notifications a second',
      use: (users) =>
        (load(users).messagesPerSecond * measured.messageEvents) / (measured.notifications * limits.busy),
      remedy: 'another bus, on paper',
    },
    {
      part: 'the cores of PostgreSQL',
      use: (users) => load(users).databaseCores / (limits.databaseCores * limits.busy),
      remedy: 'Citus, on paper',
    },
  ];
}

/** Machines for so many users, and what they cost a month in US dollars. */
export interface Bill {
  processes: number;
  /** Cores of one database machine; there are two. */
  databaseCores: number;
  servers: number;
  database: number;
  files: number;
  traffic: number;
  /** What the machines cost together. */
  machines: number;
  /** What model providers are paid. */
  models: number;
}

/** Files lie in S3; a process and a database machine more than the load needs stand by. */
export function billOf(users: number, numbers: Numbers): Bill {
  const { measured, traffic, limits, prices } = numbers;
  const load = loadOf(users, numbers);
  const processes = processesFor(load, numbers) + 1;
  // A core of the machine that the price is of comes with 4 GiB, which the cache takes most of.
  const forCache = (load.messagesGb * limits.cachedShare) / 4;
  const databaseCores = Math.max(2, Math.ceil(load.databaseCores / limits.busy), Math.ceil(forCache));
  const answerBytes = measured.answerBytes * (traffic.seconds / measured.seconds);
  const visits = users * traffic.activeShare * MONTH_DAYS;
  const sentGb = (load.messagesPerMonth * answerBytes + visits * measured.visitBytes) / GB;
  const perMessage =
    (traffic.inputTokens * prices.inputTokens + traffic.outputTokens * prices.outputTokens) / 1e6;
  const bill = {
    servers: processes * prices.core,
    database: 2 * (databaseCores * prices.core + load.messagesGb * prices.diskGb),
    files: load.filesGb * prices.objectGb,
    traffic: sentGb * prices.trafficGb,
  };
  const machines = bill.servers + bill.database + bill.files + bill.traffic;
  return { processes, databaseCores, ...bill, machines, models: load.messagesPerMonth * perMessage };
}
