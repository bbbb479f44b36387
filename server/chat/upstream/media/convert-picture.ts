import { READERS_AT_ONCE } from '#server/files/ingest/read-in-slot.ts';
import { convertPicture as convertAlone } from '#server/files/reading/read-file.ts';
import { FileFault } from '#server/files/reading/reading-rules.ts';
import type { OnUsage } from '#server/files/reading/start-reader.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import type { FileSource } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';

/** Pictures that are converted at once, each in a process of its own, by turns between users. */
const converters = new FairSlots(READERS_AT_ONCE);

/**
 * Converts a picture that a model cannot read to JPEG, or to PNG where parts of it are transparent; of an animation the first frame. It
 * is read when its owner's turn has come. Rejects with an `UpstreamError` where the picture is at fault, with the signal's reason, and
 * with what the source throws.
 */
export async function convertPicture(
  source: Pick<FileSource, 'owner' | 'content'>,
  signal: AbortSignal,
  onUsage?: OnUsage,
): Promise<{ type: string; data: Buffer }> {
  const release = await converters.take(source.owner, signal);
  try {
    return await convertAlone(await source.content(), { onUsage, signal });
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    throw new UpstreamError('invalid_content', 'a picture could not be converted', { cause });
  } finally {
    release();
  }
}
