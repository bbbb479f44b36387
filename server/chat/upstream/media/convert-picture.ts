import { READERS_AT_ONCE } from '#server/files/ingest/read-in-slot.ts';
import { convertPicture as convertAlone } from '#server/files/reading/read-file.ts';
import { FileFault } from '#server/files/reading/reading-rules.ts';
import type { OnUsage } from '#server/files/reading/start-reader.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { newId } from '#server/platform/ids.ts';
import { UpstreamError } from '../transport/upstream-error.ts';

/** Pictures that are converted at once, each in a process of its own, in the order in which they come. */
const converters = new FairSlots(READERS_AT_ONCE);

/**
 * Converts a picture that a model cannot read to JPEG, or to PNG where parts of it are transparent; of an animation the first frame.
 * Rejects with an `UpstreamError` where the picture is at fault, and with the signal's reason.
 */
export async function convertPicture(
  data: Buffer,
  signal: AbortSignal,
  onUsage?: OnUsage,
): Promise<{ type: string; data: Buffer }> {
  const release = await converters.take(newId(), signal);
  try {
    return await convertAlone(data, { onUsage, signal });
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    throw new UpstreamError('invalid_content', 'a picture could not be converted', { cause });
  } finally {
    release();
  }
}
