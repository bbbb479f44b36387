import { existsSync } from 'node:fs';
import { runApi } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import { runBrowsers } from './computer/run-browsers.ts';
import { runComputer } from './computer/run-computer.ts';
import { runFiles } from './files/run-files.ts';
import { runGrowth } from './growth/run-growth.ts';
import { runIdle } from './idle.ts';
import { runLedger } from './ledger.ts';
import { runRendering } from './long-chat/run-rendering.ts';
import { runPages } from './pages/run-pages.ts';
import { runPayments } from './payments/run-payments.ts';
import { runWebhooks } from './payments/run-webhooks.ts';
import { keepSection, section } from './results.ts';
import { runScale } from './scale/run-scale.ts';
import { runSearch } from './search.ts';
import { runSoak } from './soak/run-soak.ts';
import { runStart } from './start.ts';
import { runStorms } from './storms/run-storms.ts';
import { runStreams } from './streams/run-streams.ts';
import { runDrill } from './variants/run-drill.ts';
import { runProcesses } from './variants/run-processes.ts';
import { runReplication } from './variants/run-replication.ts';
import { runTraces } from './variants/run-traces.ts';

const BENCHMARKS: Record<string, Benchmark> = {
  streams: runStreams,
  api: runApi,
  ledger: runLedger,
  start: runStart,
  idle: runIdle,
  pages: runPages,
  webhooks: runWebhooks,
  payments: runPayments,
  files: runFiles,
  rendering: runRendering,
  search: runSearch,
  storms: runStorms,
  growth: runGrowth,
  computer: runComputer,
  browsers: runBrowsers,
  replication: runReplication,
  processes: runProcesses,
  drill: runDrill,
  traces: runTraces,
  scale: runScale,
  soak: runSoak,
};
/** Other names that a benchmark is called by. */
const ALIASES: Record<string, string> = { 'long-chat': 'rendering' };
/** Takes an hour: only by its name. */
const ALONE = 'soak';

if (!existsSync('/proc/self/stat')) {
  console.error('The benchmarks read CPU time and memory from /proc, which only Linux has.');
  process.exit(1);
}
const [name, ...parts] = process.argv.slice(2);
const chosen =
  name === undefined ? Object.keys(BENCHMARKS).filter((each) => each !== ALONE) : [ALIASES[name] ?? name];
for (const each of chosen) {
  const run = BENCHMARKS[each];
  if (!run) {
    console.error(`usage: npm run bench [-- ${Object.keys(BENCHMARKS).join('|')} [part …]]`);
    process.exit(2);
  }
  const { body, postgres } = await run(parts);
  const isComparison = parts.includes('--against');
  const title = isComparison ? `${each} compared` : each;
  const written = section(title, body, postgres);
  console.log(`\n${written}`);
  if (parts.length === 0 || isComparison) keepSection(title, written);
}
