import type { Log } from './log.ts';

/** Does `work` every `everyMs`, never twice at once, until the returned function is called; a failure is logged and tried again. */
export function repeat(name: string, everyMs: number, work: () => Promise<unknown>, log: Log): () => void {
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    await work().catch((error) => log.warn({ err: error }, `${name} failed and will be tried again`));
    isBusy = false;
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
