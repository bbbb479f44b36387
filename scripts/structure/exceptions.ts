export interface Exception {
  rule: string;
  path: string;
  reason: string;
}

/** Where a rule does not hold, and why. One that no longer excuses anything is itself a finding, so the list only shrinks. */
export const EXCEPTIONS: Exception[] = [
  {
    rule: 'environment',
    path: 'server/platform/postgres/postgres-cluster.ts',
    reason: "the search paths a child process needs are the machine's, not our configuration",
  },
  {
    rule: 'environment',
    path: 'server/computer/client/host-client.ts',
    reason: "the search path of a child process is the machine's, not our configuration",
  },
  {
    rule: 'environment',
    path: 'server/computer/host/run-host.ts',
    reason: 'a program of its own, which may run on another machine',
  },
  { rule: 'import-count', path: 'server/app.ts', reason: 'the map of the whole server mounts every domain' },
  { rule: 'import-count', path: 'server/deps.ts', reason: 'the list of what a process is made of' },
  {
    rule: 'import-count',
    path: 'test/app.ts',
    reason: 'puts the whole server together for tests, as server/main.ts does for users',
  },
  { rule: 'import-count', path: 'bench/run.ts', reason: 'the list of the benchmarks' },
  {
    rule: 'import-count',
    path: 'web/features/chat/answer/code/languages.ts',
    reason: 'a table of grammars, each fetched when it is first needed',
  },
];
