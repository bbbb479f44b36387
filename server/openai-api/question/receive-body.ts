import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { HttpBindings } from '@hono/node-server';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';

/** Bytes of bodies on their way that a process has on its disk at once. */
const MAX_ON_DISK = 1_073_741_824;

let onDisk = 0;

/** A body that has come, on the disk. */
interface ReceivedBody {
  /** In bytes. */
  size: number;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Writes a body into a file of `folder` as it comes, so that it takes no memory however slowly that is. The file has no name, and so
 * nothing of it outlives this process. Throws `payload_too_large` for more than `limit` bytes, `invalid_json` where its connection closes
 * before its end, and `unavailable` where there is no room for it.
 */
export async function receiveBody(
  incoming: HttpBindings['incoming'],
  folder: string,
  limit: number,
): Promise<ReceivedBody> {
  const file = await openNameless(folder).catch((cause) => {
    throw new AppError('unavailable', {}, { cause });
  });
  let size = 0;
  const close = () => {
    onDisk -= size;
    size = 0;
    return file.close();
  };
  try {
    const chunks: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      size += chunk.length;
      onDisk += chunk.length;
      if (size > limit) throw new AppError('payload_too_large', { limit });
      if (onDisk > MAX_ON_DISK) throw new AppError('unavailable');
      await file.appendFile(chunk);
    }
    return { size, read: () => buffer(file.createReadStream({ start: 0, autoClose: false })), close };
  } catch (cause) {
    await close();
    if (cause instanceof AppError) throw cause;
    throw new AppError(incoming.destroyed ? 'invalid_json' : 'unavailable', {}, { cause });
  }
}

async function openNameless(folder: string) {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `body-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
