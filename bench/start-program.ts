import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { putFirst } from './process-usage.ts';

export interface Program {
  pid: number;
  child: ChildProcess;
  /** Ends it in order, by force after 30 seconds. */
  stop(): Promise<void>;
}

interface ProgramOptions {
  env?: Record<string, string>;
  nodeFlags?: string[];
  /** The checkout it runs from; this one by default. */
  root?: string;
  /** Give it a channel for messages, as `child_process.fork` does. */
  channel?: boolean;
  /** Read by `waitForLine`; else its standard output is thrown away. */
  readOutput?: boolean;
}

/** Starts a TypeScript file of ours as a process in its own session, put before other work where that is allowed. */
export function startProgram(file: string, flags: string[], options: ProgramOptions = {}): Program {
  const { env = {}, nodeFlags = [], root, channel = false, readOutput = false } = options;
  const child = spawn(process.execPath, [...nodeFlags, file, ...flags], {
    detached: true,
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', readOutput ? 'pipe' : 'ignore', 'inherit', ...(channel ? (['ipc'] as const) : [])],
    serialization: 'advanced',
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${file} did not start`);
  putFirst(pid);
  const interrupt = () => child.kill('SIGKILL');
  process.once('exit', interrupt);
  const exited = once(child, 'exit').then(() => process.off('exit', interrupt));
  const stop = async () => {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await exited;
    clearTimeout(force);
  };
  return { pid, child, stop };
}

/** Waits for a line of standard output that `matches`, and answers it; throws when the program ends before. */
export async function waitForLine({ child }: Program, matches: (line: string) => boolean): Promise<string> {
  let text = '';
  const seen: string[] = [];
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    const found = lines.find(matches);
    if (found !== undefined) {
      child.stdout?.resume();
      return found;
    }
    seen.push(...lines);
  }
  throw new Error(`the program ended before it was ready:\n${seen.slice(-20).join('\n')}`);
}

/** Sends a message to a program that has a channel, and waits for its answer. Throws when the program ends before. */
export async function callProgram<T>({ child }: Program, message: object): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the program ended before its answer');
  });
  const answered = once(child, 'message', { signal });
  child.send(message);
  try {
    const [answer] = (await Promise.race([answered, ended])) as [T];
    return answer;
  } finally {
    done.abort();
  }
}
