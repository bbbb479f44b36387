import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ADMIN = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url));

interface Ended {
  code: number;
  output: string;
}

/** The environment of an operator's program that has no settings but these. */
export function adminEnv(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env };
}

/** Runs the operator's program as a process of its own. */
export function runAdmin(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [ADMIN, ...args],
      { env: adminEnv(env), timeout: 120_000 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
