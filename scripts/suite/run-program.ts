import { type ChildProcess, spawn } from 'node:child_process';

const running = new Set<ChildProcess>();
/** For a program to end what it started, before it is killed. */
const KILL_TIMEOUT_MS = 30_000;

export interface ProgramResult {
  ok: boolean;
  /** What it printed on both streams; empty when `live`. */
  output: string;
}

interface ProgramOptions {
  env?: Record<string, string>;
  /** Print as it goes instead of collecting. */
  live?: boolean;
  timeoutMinutes: number;
}

/** Runs a program of `node_modules/.bin`, or a TypeScript file of ours, on this Node, from the repository's root. */
export function runProgram(
  program: string,
  flags: string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { env = {}, live = false, timeoutMinutes } = options;
  const file = program.endsWith('.ts') ? program : `node_modules/.bin/${program}`;
  const child = spawn(process.execPath, [file, ...flags], {
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let limit = setTimeout(() => {
    const reason = `${program}: stopped after ${timeoutMinutes} minutes`;
    output += `\n${reason}`;
    if (live) console.log(reason);
    child.kill('SIGINT');
    limit = setTimeout(() => child.kill('SIGKILL'), KILL_TIMEOUT_MS);
  }, timeoutMinutes * 60_000);
  return new Promise((resolve) => {
    const finish = (ok: boolean) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ ok, output });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}

/** Passes a signal on to what is running, so that Ctrl-C and a stopping parent leave nothing behind. */
export function stopPrograms(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}
