import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listShippedPaths } from './list-shipped.ts';

/** What npm's own check said. `unchecked`: it could not ask, so nothing is known. */
export type AdvisoryResult =
  | { state: 'none' }
  | { state: 'found'; lines: string[] }
  | { state: 'unchecked'; isMissing: boolean; said: string };

/** What a registry answers that has no such service. */
const NO_SERVICE = [404, 405, 501];

const viaSchema = z.union([z.string(), z.looseObject({ title: z.string(), url: z.string().default('') })]);
const reportSchema = z.looseObject({
  auditReportVersion: z.number(),
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({
      severity: z.string(),
      range: z.string(),
      via: z.array(viaSchema),
      /** Where it stands in the lock file. */
      nodes: z.array(z.string()),
    }),
  ),
});
const faultSchema = z.looseObject({ message: z.string().default(''), statusCode: z.number().optional() });

/**
 * Runs `npm audit` in `root`: the advisories of the registry that npm is set to, for what ships. What pages are made of is a
 * development dependency for npm, as the tools are, so all is asked about and the tools are left out here.
 */
export async function checkAdvisories(root: string, env: NodeJS.ProcessEnv): Promise<AdvisoryResult> {
  const said = await runNpm(root, env);
  let value: unknown = null;
  try {
    value = JSON.parse(said.output);
  } catch {
    // Not even a fault in JSON.
  }
  const report = reportSchema.safeParse(value);
  if (report.success) {
    const shipped = listShippedPaths(root);
    const lines = Object.entries(report.data.vulnerabilities)
      .filter(([, { nodes }]) => nodes.some((path) => shipped.has(path)))
      .map(([name, one]) => describeAdvisory(name, one));
    return lines.length === 0 ? { state: 'none' } : { state: 'found', lines };
  }
  const fault = faultSchema.safeParse(value);
  const { message, statusCode } = fault.success ? fault.data : { message: said.errors.trim(), statusCode: 0 };
  return { state: 'unchecked', isMissing: NO_SERVICE.includes(statusCode ?? 0), said: message };
}

function describeAdvisory(
  name: string,
  { severity, range, via }: z.infer<typeof reportSchema>['vulnerabilities'][string],
): string {
  const reasons = via.map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`.trim()));
  return `${name} ${range} (${severity}): ${reasons.join('; ')}`;
}

async function runNpm(cwd: string, env: NodeJS.ProcessEnv) {
  const { npm_execpath: cli } = env;
  const [file, first]: [string, string[]] = cli && existsSync(cli) ? [process.execPath, [cli]] : ['npm', []];
  const child = spawn(file, [...first, 'audit', '--include=dev', '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const [output, errors] = await Promise.race([
    Promise.all([text(child.stdout), text(child.stderr)]),
    failed,
  ]);
  return { output, errors };
}
