import type { CallDeadline } from './call-deadline.ts';
import type { HttpPool, HttpPost, Refusal } from './http-pool.ts';
import { UpstreamError } from './upstream-error.ts';

const MAX_BODY = 32 * 1024 * 1024;

/** Posts a request whose answer is one JSON value. Rejects with `parse` when it is none or larger than 32 MiB. */
export async function postJson(
  pool: HttpPool,
  post: HttpPost,
  deadline: CallDeadline,
  readRefusal: (refusal: Refusal) => UpstreamError,
): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  const refusal = await pool.post(post, deadline, (chunk) => {
    size += chunk.length;
    if (size > MAX_BODY) throw new UpstreamError('parse', 'the answer is larger than 32 MiB');
    pieces.push(chunk);
    return 'more';
  });
  if (refusal) throw readRefusal(refusal);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new UpstreamError('parse', 'the answer is no JSON');
  }
}
