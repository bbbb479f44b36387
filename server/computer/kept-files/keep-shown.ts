import { setTimeout as sleep } from 'node:timers/promises';
import { MEGABYTE } from '#contract/limits.ts';
import type { KeepRequest } from '#contract/message/computer.ts';
import { keyOfKept } from '#contract/message/key-of-kept.ts';
import type { OfferedFile, StepPart, TablePart } from '#contract/message/parts.ts';
import { writeTable } from '#contract/message/write-table.ts';
import { readMessage, readShown } from '#server/chat/messages/list-messages.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { readWhole } from '#server/files/state/read-content.ts';
import { readReadyFile } from '#server/files/state/read-own-file.ts';
import { findKept, type KeptFile, keepFile } from '#server/files/uploads/keep-file.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { FetchRefused, FetchTooLarge, fetchPublic } from '#server/platform/fetch/fetch-public.ts';
import { TokenBuckets } from '#server/platform/token-buckets.ts';

type KeepDeps = Pick<Deps, 'config' | 'database' | 'storages' | 'clock' | 'log' | 'metrics'>;

const FETCH_TIMEOUT_MS = 25_000;
/** How long a request to keep waits for its part, which the user saw a moment before the event log has it. */
const STEP_WAIT_MS = 5_000;
const STEP_POLL_MS = 100;
const WAIT_MS = 60_000;
/** Requests to keep by one user in a minute; a file that cannot be had is requested from its site each time. */
const KEEPS_PER_MINUTE = 20;

/** Files of sites that a process holds at once, shared fairly between users; and requests of one user at once, pictures included. */
const PLACES = 8;
const KEEPS_OF_USER = 4;

const keeps = new TokenBuckets();
const places = new FairSlots(PLACES);
/** Requests under way: a double click waits for the first. */
const underWay = new Map<string, Promise<KeptFile>>();

/**
 * Keeps what a browser showed as a file of its conversation, while it runs and afterwards, at any process. Throws
 * `not_found`, `rate_limited`, `unavailable`, `file_not_given` where its site does not give a file to us, and as `keepFile`.
 */
export async function keepShown(
  deps: KeepDeps,
  userId: string,
  messageId: string,
  thing: KeepRequest,
): Promise<KeptFile> {
  const keptKey = keyOfKept(thing);
  const underWayKey = `${userId} ${messageId} ${keptKey}`;
  const before = underWay.get(underWayKey);
  if (before) return before;
  const mine = [...underWay.keys()].filter((each) => each.startsWith(userId));
  if (mine.length >= KEEPS_OF_USER) throw new AppError('rate_limited', { seconds: 1 });
  const kept = keepOnce(deps, { userId, messageId, keptKey, thing }).finally(() =>
    underWay.delete(underWayKey),
  );
  underWay.set(underWayKey, kept);
  return kept;
}

interface Wanted {
  userId: string;
  messageId: string;
  keptKey: string;
  thing: KeepRequest;
}

async function keepOnce(deps: KeepDeps, wanted: Wanted): Promise<KeptFile> {
  const { userId, messageId, keptKey, thing } = wanted;
  const shown = await waitForShown(deps, wanted);
  if (!shown) throw new AppError('not_found');
  const before = await findKept(deps, userId, messageId, keptKey);
  if (before) return before;
  const seconds = keeps.take(userId, KEEPS_PER_MINUTE);
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const keep = (found: { name: string; bytes: Buffer }) =>
    keepFile(deps, { userId, messageId, keptKey, ...found });
  if (shown.kind === 'table') return keep(fileOf(shown));
  if (thing.what !== 'file') return keep(await readPicture(deps, userId, shown));
  const release = await places.take(userId, AbortSignal.timeout(WAIT_MS)).catch(() => {
    throw new AppError('unavailable');
  });
  try {
    return await keep(await fetchOffered(deps, shown.files?.[thing.n - 1]));
  } finally {
    release();
  }
}

/** The part that contains what is to be kept, as soon as it is stored; null when its run is over without it. */
async function waitForShown(
  deps: KeepDeps,
  { userId, messageId, thing }: Wanted,
): Promise<StepPart | TablePart | null> {
  const part =
    thing.what === 'table'
      ? { kind: 'table' as const, n: thing.n }
      : { kind: 'step' as const, n: thing.step };
  const giveUpAt = performance.now() + STEP_WAIT_MS;
  for (;;) {
    const message = await readMessage(deps, userId, messageId);
    const shown = await readShown(deps, userId, messageId, part);
    if (shown || message?.status !== 'running' || performance.now() > giveUpAt) return shown;
    await sleep(STEP_POLL_MS);
  }
}

function fileOf(table: TablePart) {
  const { name, text } = writeTable(table);
  return { name, bytes: Buffer.from(text) };
}

async function readPicture(deps: KeepDeps, userId: string, { fileId, url, n }: StepPart) {
  if (fileId === null) throw new AppError('not_found');
  const file = await readReadyFile(deps, userId, fileId);
  const site = URL.parse(url)?.hostname || 'page';
  return { name: `${site}-${n}.jpg`, bytes: await readWhole(deps, file, 'content') };
}

/** Downloads a file that a page offered, without the cookies of the browser. */
async function fetchOffered({ config }: KeepDeps, offered: OfferedFile | undefined) {
  const url = URL.parse(offered?.url ?? '');
  if (!offered || !url) throw new AppError('not_found');
  const { name, site } = offered;
  const limit = config.files.limitBytes;
  const tooLarge = (cause?: unknown) =>
    new AppError('file_too_large', { name, limit: limit / MEGABYTE }, { cause });
  if ((offered.bytes ?? 0) > limit) throw tooLarge();
  const { testHosts } = config.computer;
  if (Object.hasOwn(testHosts, url.hostname)) url.protocol = 'https:';
  try {
    const options = { limit, timeoutMs: FETCH_TIMEOUT_MS, accept: '*/*', testHosts };
    const { bytes, type } = await fetchPublic(url.href, options);
    // A site answers who is not signed in with a page.
    if (/^text\/html\b/i.test(type)) throw new FetchRefused('the address answers with a page');
    return { name, bytes };
  } catch (cause) {
    if (cause instanceof FetchTooLarge) throw tooLarge(cause);
    if (cause instanceof FetchRefused) throw new AppError('file_not_given', { name, site }, { cause });
    throw cause;
  }
}
