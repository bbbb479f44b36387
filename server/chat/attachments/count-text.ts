import { MINUTE_MS } from '#contract/time.ts';
import { AppError } from '#server/errors.ts';
import { READERS_AT_ONCE } from '#server/files/ingest/read-in-slot.ts';
import type { TurnFile } from '#server/files/message-files/list-ready-files.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';

const WAIT_MS = MINUTE_MS;

/** A text may have 20 million characters: so many are held at once, by turns between users. */
const counters = new FairSlots(READERS_AT_ONCE);

/** Tokens by hash of the file, whose text never changes. */
const counted = new Map<string, number>();
const MAX_COUNTED = 1_000;

/** Tokens of the text in a file, estimated. Read once; throws `unavailable` where too many wait, and what the reading throws. */
export async function countText(userId: string, file: Pick<TurnFile, 'sha256' | 'text'>): Promise<number> {
  const known = counted.get(file.sha256);
  if (known !== undefined) return known;
  const release = await counters.take(userId, AbortSignal.timeout(WAIT_MS)).catch(() => {
    throw new AppError('unavailable');
  });
  try {
    const tokens = counted.get(file.sha256) ?? estimateTokens(await file.text());
    if (counted.size >= MAX_COUNTED) counted.clear();
    counted.set(file.sha256, tokens);
    return tokens;
  } finally {
    release();
  }
}
