import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { buildWeb } from '../build/build-web.ts';
import { ensureChromium } from '../setup-chromium.ts';
import { runProgram } from './run-program.ts';
import { type Counts, describeFailure, oneFailed } from './step.ts';

interface Suite {
  specs: { file: string; line: number; title: string; tests: z.infer<typeof testSchema>[] }[];
  suites?: Suite[] | undefined;
}

const testSchema = z.object({
  status: z.string(),
  results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
});

const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    specs: z.array(
      z.object({ file: z.string(), line: z.int(), title: z.string(), tests: z.array(testSchema) }),
    ),
    suites: z.array(suiteSchema).optional(),
  }),
);

const reportSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(suiteSchema),
});

/** Minutes after which a run is stopped: one where every journey has both languages is a long one. */
const TIMEOUT_MINUTES = { usual: 35, long: 120 };

/**
 * Builds the web, sees to a Chromium and runs the browser journeys (all, or those `selection` names). A long run is made in the
 * whole browser, as people have it, a short one in its shell, where there is one.
 */
export async function runBrowser(folder: string, selection: string[], isLong: boolean): Promise<Counts> {
  const report = join(folder, 'playwright.json');
  try {
    const chromium = await ensureChromium(!isLong);
    await buildWeb();
    const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const flags = ['test', '--reporter=list,json', ...selection];
    const { ok } = await runProgram('playwright', flags, {
      env,
      live: true,
      timeoutMinutes: isLong ? TIMEOUT_MINUTES.long : TIMEOUT_MINUTES.usual,
    });
    return browserCounts(JSON.parse(readFileSync(report, 'utf8')), ok);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(reason);
    return oneFailed(reason);
  }
}

/** Counts of a report. A test that passed only when repeated is a failure: flaky is broken. */
export function browserCounts(json: unknown, ok: boolean): Counts {
  const { stats, errors, suites } = reportSchema.parse(json);
  const failed = stats.unexpected + stats.flaky + errors.length;
  return {
    passed: stats.expected,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: stats.skipped,
    failures: [...errors.map(({ message = '' }) => message), ...suites.flatMap(failuresOf)],
  };
}

function failuresOf({ specs, suites = [] }: Suite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const messages = results.flatMap(({ errors }) => errors.map(({ message = '' }) => message));
        return describeFailure(`${file}:${line}: ${title}`, messages.join('\n'));
      }),
  );
  return [...own, ...suites.flatMap(failuresOf)];
}
