import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#server/errors.ts';
import { isConnectionLost } from './database-errors.ts';

const ATTEMPTS = 3;
const PAUSE_MS = 150;

/**
 * What `work` gives, tried up to three times while `mayRetry` is true of its error, which is asked after each try: the connection was lost,
 * where nothing else is said. `work` may have been done by then, and must bear to be done again. Throws `unavailable` after the last try,
 * and any other error as it is.
 */
export async function retryStatement<T>(
  work: () => Promise<T>,
  mayRetry: (error: unknown, attempt: number) => boolean = isConnectionLost,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayRetry(error, attempt)) throw error;
      if (attempt === ATTEMPTS) throw new AppError('unavailable', {}, { cause: error });
    }
    await sleep(PAUSE_MS * attempt);
  }
}
