import { randomUUID } from 'node:crypto';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { AnswerImage } from '#contract/openai.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { listReadyFiles, type TurnFile } from '#server/files/message-files/list-ready-files.ts';

/** Bytes that become text at a time; a multiple of three is a whole number of characters of base64. */
const STEP = 49_152;

/** The pictures of an answer, as OpenRouter and the clients that follow it have them, and what stands for their bytes. */
interface MarkedPictures {
  images: AnswerImage[];
  /** By what stands for it. */
  files: Map<string, TurnFile>;
}

/** The pictures that an answer has and that are still there. */
export async function readPictures(
  deps: Pick<Deps, 'database' | 'storages'>,
  userId: string,
  parts: readonly AnswerPart[],
): Promise<MarkedPictures> {
  const ids = parts.flatMap((part) => (part.kind === 'image' ? [part.fileId] : []));
  const found = ids.length > 0 ? await listReadyFiles(deps, userId, ids) : new Map<string, TurnFile>();
  const marked: MarkedPictures = { images: [], files: new Map() };
  for (const id of ids) {
    const file = found.get(id);
    if (!file) throw new AppError('files_gone');
    const mark = randomUUID();
    marked.files.set(mark, file);
    const url = `data:${file.type};base64,${mark}`;
    marked.images.push({ type: 'image_url', index: marked.images.length, image_url: { url } });
  }
  return marked;
}

/**
 * A text with what stands for pictures, in pieces, their bytes in base64 in its place. No more than a piece of one picture is in memory
 * at a time, however many and large they are.
 */
export async function* writePictures(text: string, { files }: MarkedPictures): AsyncGenerator<string> {
  let left = text;
  for (const [mark, file] of files) {
    const at = left.indexOf(mark);
    if (at < 0) continue;
    yield left.slice(0, at);
    yield* writeBase64(file.content());
    left = left.slice(at + mark.length);
  }
  yield left;
}

async function* writeBase64(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of content) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    for (let from = 0; from < whole; from += STEP)
      yield bytes.toString('base64', from, Math.min(from + STEP, whole));
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}
