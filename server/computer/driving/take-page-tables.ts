import type { LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';
import { secretOf } from './call-rules.ts';
import { choosePageTables } from './table-rules.ts';

/** How long a finished answer waits for its tables. */
const READ_TIMEOUT_MS = 8_000;

/**
 * Adds the tables of the open page to a finished answer. `secrets` must not occur in any part. Adds none where the page is not read in
 * time, the browser is gone, or the run is stopped meanwhile. Never rejects.
 */
export async function takePageTables(
  { host, log }: Pick<RunDeps, 'log'> & { host: Pick<RunDeps['host'], 'read'> },
  { id, run }: Pick<LiveRun, 'id'> & { run: Pick<LiveRun['run'], 'signal' | 'addPart'> },
  secrets: ReadonlySet<string>,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<void> {
  if (run.signal.aborted) return;
  const over = Promise.withResolvers<null>();
  const end = () => over.resolve(null);
  const timer = setTimeout(end, timeoutMs);
  run.signal.addEventListener('abort', end, { once: true });
  try {
    const page = await Promise.race([host.read(id), over.promise]);
    if (!page) return;
    const typed = page.secrets.map(secretOf).filter((secret) => secret !== null);
    for (const part of choosePageTables(page, new Set([...secrets, ...typed]))) run.addPart(part);
  } catch (err) {
    log.debug({ err, messageId: id }, 'the tables of a page could not be read');
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', end);
  }
}
