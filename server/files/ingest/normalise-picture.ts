import { MINUTE_MS } from '#contract/time.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { squarePicture } from '../reading/read-file.ts';
import { FileFault } from '../reading/reading-rules.ts';
import { READERS_AT_ONCE } from './read-in-slot.ts';
import { countReading } from './read-measured.ts';

const WAIT_MS = MINUTE_MS;

/** Pictures of users that are drawn at once, each in a process of its own, by turns between users. */
const slots = new FairSlots(READERS_AT_ONCE);

/**
 * The picture of a user out of what was uploaded, as `squarePicture` draws it. Throws `picture_unreadable`, `picture_too_large` for too
 * many pixels, and `unavailable` where too many wait.
 */
export async function normalisePicture(
  { metrics }: Pick<BaseDeps, 'metrics'>,
  userId: string,
  bytes: Buffer,
): Promise<Buffer> {
  const wait = AbortSignal.timeout(WAIT_MS);
  const release = await slots.take(userId, wait).catch(() => {
    throw new AppError('unavailable');
  });
  try {
    return await squarePicture(bytes, { onUsage: (usage) => countReading(metrics, usage) });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const code = error.code === 'file_too_complex' ? 'picture_too_large' : 'picture_unreadable';
    throw new AppError(code, {}, { cause: error });
  } finally {
    release();
  }
}
