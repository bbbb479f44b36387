import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#server/errors.ts';
import { HostFault } from '../host/protocol.ts';
import type { LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';
import type { Drive } from './drive.ts';
import { listNamedSites } from './list-named-sites.ts';

/** Pause between two tries to open a browser at a host that other processes have filled. */
const BUSY_MS = 1_000;

/**
 * Opens the browser of a run. Returns `busy`, after a pause, where its host has no room now, and `off` where its walls are not proved any
 * more. Throws `browser_failed`.
 */
export async function openBrowser(
  { host, config }: RunDeps,
  { id, run, screen }: LiveRun,
  drive: Drive,
): Promise<'open' | 'busy' | 'off'> {
  const { testHosts } = config.computer;
  const { content } = run.message;
  const opened = {
    runId: id,
    allowedSites: listNamedSites(content, testHosts),
    testHosts,
    language: /\p{Script=Han}/u.test(content) ? ('zh' as const) : ('en' as const),
  };
  try {
    await host.open(opened, {
      asked: (question) => drive.asked(question),
      withdrawn: (askId) => drive.withdrawn(askId),
      frame: (jpeg, url) => {
        screen.show(jpeg);
        drive.pictured(url);
      },
      closed: (reason, message) => drive.closed(`${reason}: ${message}`),
    });
    return 'open';
  } catch (cause) {
    const code = cause instanceof HostFault ? cause.code : null;
    if (code === 'off') return 'off';
    if (code !== 'busy') throw new AppError('browser_failed', {}, { cause });
    await sleep(BUSY_MS, undefined, { signal: run.signal });
    return 'busy';
  }
}
