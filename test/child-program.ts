import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export interface ChildProgram {
  process: ChildProcess;
  /** Standard output and standard error so far. */
  output(): string;
  /** The first line of standard output, from now on or already printed, that `matches`; rejects when the program ends without it. */
  line(matches: (line: string) => boolean): Promise<string>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/** Runs a program of its own for a test, reading its output line by line. It finds compiled code where this process does. */
export function startChild(file: string, flags: string[], options: SpawnOptions = {}): ChildProgram {
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const env = { NODE_COMPILE_CACHE, ...(options.env ?? process.env) };
  const child = spawn(file, flags, { ...options, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  child.stderr.on('data', (text) => {
    output += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    lines.push(line);
    wake();
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  let over = false;
  void ended.then(() => {
    over = true;
    wake();
  });
  const line = (matches: (line: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const found = lines.find(matches);
        if (found === undefined && !over) return;
        waiting.delete(check);
        if (found === undefined) reject(new Error(`ended without the awaited line:\n${output}`));
        else resolve(found);
      };
      waiting.add(check);
      check();
    });
  return { process: child, output: () => output, line, ended };
}

/** Runs TypeScript text as a module of this repository (imports by `#…`), as `startChild` does. */
export function startScript(source: string, options: SpawnOptions = {}): ChildProgram {
  return startChild(process.execPath, ['--input-type=module-typescript', '--eval', source], options);
}

/**
 * A port of the loopback on which nothing listens, for a program that is told where to listen. It is below those that systems give out by
 * themselves, so that no server or connection of another test takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
