import { createHash, randomBytes } from 'node:crypto';
import { MAX_PIECE, TUS_VERSION } from '#contract/limits.ts';
import type { FileInfo } from '#contract/message/files.ts';
import { FileFault, type ReadingResult } from '#server/files/reading/reading-rules.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestClient } from '../client.ts';

/** A reader that knows text: all bytes are text, and bytes with a NUL are no file. In the process, for tests that are about the rest. */
export async function readPlainText(bytes: Buffer): Promise<ReadingResult> {
  if (bytes.includes(0)) throw new FileFault('file_unreadable');
  const text = bytes.toString('utf8');
  return {
    ...{ type: 'text/plain', pages: null, width: null, height: null, thumbnail: null, content: null },
    ...{ text, hasText: text.trim() !== '', tokens: Math.ceil(text.length / 4) },
  };
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Letters and signs by chance. */
export const someBytes = (length: number) =>
  Buffer.from(randomBytes(length).toString('base64').slice(0, length));

const TUS = { 'tus-resumable': TUS_VERSION };

/** Begins an upload; the answer as it came. `keepPlace`: what it says of that, where it says anything. */
export function beginUpload(
  client: TestClient,
  length: number,
  name = 'notes.txt',
  keepPlace?: string,
): Promise<Response> {
  const pairs = { filename: name, ...(keepPlace === undefined ? {} : { keep_place: keepPlace }) };
  const metadata = Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  return client.request('/api/files', {
    method: 'POST',
    headers: { ...TUS, 'upload-length': String(length), 'upload-metadata': metadata },
  });
}

/** The id in the answer to `beginUpload`. Throws where the upload was refused. */
export async function idOf(answer: Response): Promise<string> {
  if (answer.status !== 201) throw new Error(`an upload was refused: ${await answer.text()}`);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

/** Sends one piece; the answer as it came. */
export function sendPiece(
  client: TestClient,
  id: string,
  offset: number,
  piece: Uint8Array,
): Promise<Response> {
  return client.request(`/api/files/${id}`, {
    method: 'PATCH',
    headers: {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(piece),
  });
}

/** How much of an upload is there; null where it is gone. */
export async function offsetOf(client: TestClient, id: string): Promise<number | null> {
  const answer = await client.request(`/api/files/${id}`, { method: 'HEAD', headers: TUS });
  return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : null;
}

/** Uploads a whole file in pieces. Throws where one is refused. Returns its id. */
export async function upload(
  client: TestClient,
  bytes: Uint8Array,
  name?: string,
  keepPlace?: string,
): Promise<string> {
  const id = await idOf(await beginUpload(client, bytes.length, name, keepPlace));
  for (let at = 0; at < bytes.length; at += MAX_PIECE) {
    const answer = await sendPiece(client, id, at, bytes.subarray(at, at + MAX_PIECE));
    if (answer.status !== 204) throw new Error(`a piece was refused: ${await answer.text()}`);
  }
  return id;
}

/** What is known of a file. */
export async function readInfo(client: TestClient, id: string): Promise<FileInfo> {
  const answer = await client.get(`/api/files/${id}`);
  if (!answer.ok) throw new Error(`a file cannot be read: ${await answer.text()}`);
  return (await answer.json()) as FileInfo;
}

/** A file that was read, by SQL alone, with a small picture and the text `text`. */
export async function insertFile(
  sql: Executor,
  userId: string,
  file: { conversationId?: string; bytes?: Uint8Array; name?: string } = {},
): Promise<string> {
  const id = newId();
  const content = Buffer.from(file.bytes ?? Buffer.from('text'));
  const conversationId = file.conversationId ?? null;
  const expiresAt = conversationId === null ? new Date(Date.now() + 86_400_000) : null;
  await sql`
    insert into files (id, user_id, conversation_id, name, bytes, received, state, storage, type, sha256, tokens, has_text, has_thumbnail,
                       created_at, expires_at)
    values (${id}, ${userId}, ${conversationId}, ${file.name ?? 'notes.txt'}, ${content.length}, ${content.length}, 'ready', 'database',
            'text/plain', ${createHash('sha256').update(content).digest()}, 1, true, true, now(), ${expiresAt})`;
  const parts = { content, thumbnail: Buffer.from('picture'), text: Buffer.from('text') };
  for (const [part, bytes] of Object.entries(parts))
    await sql`
      insert into file_chunks (file_id, part, start, length, bytes) values (${id}, ${part}, 0, ${bytes.length}, ${bytes})`;
  return id;
}
