/** One number of the simulation, and where it comes from. */
export interface Input {
  value: number;
  unit: string;
  source: string;
}

const from = (value: number, unit: string, source: string): Input => ({ value, unit, source });

/** Measured on two cores; `bench/results.md` has the figures with their dates. */
const MEASURED = {
  streams: from(
    500,
    'answers at once of a process',
    'decision 115, 2026-11-26: all of them whole, and later than the goals say',
  ),
  serverCpu: from(
    0.0109,
    'CPU s of the server for an answer',
    'decision 115, 2026-11-26, 500 at once, median of five rounds',
  ),
  databaseCpu: from(
    0.004,
    'CPU s of PostgreSQL for an answer',
    'decision 115, 2026-11-26, 500 at once, median of five rounds',
  ),
  seconds: from(4, 's that such an answer takes', 'results.md, streams: 200 tokens at 20 ms'),
  answerBytes: from(5_226, 'bytes of such an answer on the wire', 'results.md, streams, 2026-11-23'),
  visitBytes: from(
    275_000,
    'bytes of a first visit until an answer is shown',
    'results.md, pages, 2026-11-22',
  ),
  processMb: from(248, 'MB of a process with 500 answers', 'decision 115, 2026-11-26'),
  tabMb: from(0.058, 'MB for an open stream', 'results.md, storms, 2026-11-24: 1,000 followers'),
  messageBytes: from(
    2_780,
    'bytes that a message keeps, of a user with few',
    'results.md, growth, 2026-11-28, a million messages',
  ),
  notifications: from(1_862, 'notifications a second', 'decision 93, 2026-11-25, the lowest of its table'),
  commits: from(
    1_000,
    'commits with an insert a second',
    'results.md, webhooks, 2026-11-21; more was not tried',
  ),
  connections: from(13, 'connections of a process', 'docs/operations.md, PgBouncer'),
  messageCommits: from(3, 'commits for a message', 'counted in the code: sent, ended, indexed'),
  flushes: from(6.7, 'commits a second of a process', 'counted in the code: the event log each 150 ms'),
  messageEvents: from(3, 'notifications for a message', 'counted in the code: sent, credits, ended'),
} satisfies Record<string, Input>;

/** What users do: assumptions, none of it measured. */
const TRAFFIC = {
  activeShare: from(0.2, 'of all users on a day', 'assumed'),
  messages: from(8, 'messages of an active user a day', 'assumed'),
  peak: from(4, 'times the mean, in the busiest minute', 'assumed'),
  seconds: from(12, 's that an answer takes', 'assumed'),
  tabShare: from(0.02, 'of all users have a tab open in the busiest minute', 'assumed'),
  files: from(0.05, 'files for a message', 'assumed'),
  fileBytes: from(1_000_000, 'bytes of a file', 'assumed'),
  months: from(12, 'months since all of them came', 'assumed'),
  payingShare: from(0.03, 'of all users', 'assumed'),
  webhooks: from(4, 'webhooks of a paying user a month', 'assumed'),
  inputTokens: from(1_500, 'tokens that a model reads for a message', 'assumed'),
  outputTokens: from(500, 'tokens that it writes', 'assumed'),
} satisfies Record<string, Input>;

/** How far one part may be used: a choice each, for an ordinary machine. */
const LIMITS = {
  busy: from(0.7, 'of a core or a part that may be used', 'chosen'),
  processGb: from(2, 'GB of memory for a process', 'chosen'),
  serverConnections: from(97, 'connections that PostgreSQL gives', 'its default of 100, 3 of them reserved'),
  filesGb: from(1_000, 'GB of files in the database', 'chosen: what a backup copies in an hour or two'),
  databaseGb: from(2_000, 'GB of one database', 'chosen: what is restored within a working day'),
  databaseCores: from(32, 'cores of the largest ordinary machine', 'chosen'),
  cachedShare: from(0.05, 'of the database in memory', 'chosen: what was used of late'),
} satisfies Record<string, Input>;

/** List prices in US dollars, on demand, AWS us-east-1: assumptions of the day that they were read. */
const PRICES = {
  core: from(
    29.8,
    'a core with 4 GiB and month',
    'm7g.large at $0.0816 an hour, factualminds.com, June 2026',
  ),
  diskGb: from(0.08, 'a GB of gp3 and month', 'AWS list price, not looked up again in 2026'),
  objectGb: from(0.023, 'a GB of S3 Standard and month', 'open-exam-prep.com, June 2026'),
  trafficGb: from(0.09, 'a GB to the internet', 'open-exam-prep.com, June 2026'),
  inputTokens: from(0.3, 'a million tokens read', 'upstream-prices.ts, gemini-2.5-flash'),
  outputTokens: from(2.5, 'a million tokens written', 'upstream-prices.ts, gemini-2.5-flash'),
} satisfies Record<string, Input>;

export const INPUTS = { measured: MEASURED, traffic: TRAFFIC, limits: LIMITS, prices: PRICES };
type Group<T> = { [K in keyof T]: number };
/** The numbers alone, a group each. */
export type Numbers = { [G in keyof typeof INPUTS]: Group<(typeof INPUTS)[G]> };

/** The numbers of all inputs, with some of them changed. */
export function numbersOf(changes: { [G in keyof Numbers]?: Partial<Numbers[G]> } = {}): Numbers {
  const group = (name: keyof Numbers) =>
    Object.fromEntries(Object.entries(INPUTS[name]).map(([key, { value }]) => [key, value]));
  const names = Object.keys(INPUTS) as (keyof Numbers)[];
  return Object.fromEntries(
    names.map((name) => [name, { ...group(name), ...changes[name] }]),
  ) as unknown as Numbers;
}
