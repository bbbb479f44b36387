import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { FileCopy, FilePart } from '#server/chat/upstream/transport/upstream.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A picture of one colour; the same arguments give the same bytes. */
export function picture(format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png', size = 8): Promise<Buffer> {
  const create = { width: size, height: size, channels: 3 as const, background: '#3366cc' };
  return sharp({ create })[format]().toBuffer();
}

/** A PDF of so many empty pages, that any reader opens; `filler` makes it longer. */
export function pdf(pages = 1, filler = 0): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids}] /Count ${pages}>>`,
    ...Array.from({ length: pages }, () => '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>>'),
  ];
  let body = `%PDF-1.4\n%${'x'.repeat(filler)}\n`;
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const lines = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

export interface HeldFile {
  part: FilePart;
  /** By project. */
  copies: Map<string, FileCopy>;
  /** The names of copies that were uploaded and not kept. */
  unkept: Set<string>;
  /** How often its bytes were read. */
  reads: number;
}

/** A file in memory, as a model client is given it. */
export function heldFile(
  {
    name,
    type,
    data = Buffer.alloc(0),
    text = null,
    owner = 'somebody',
  }: { name: string; type: string; data?: Buffer; text?: string | null; owner?: string },
  isKept = true,
): HeldFile {
  const copies = new Map<string, FileCopy>();
  const held: HeldFile = {
    copies,
    unkept: new Set(),
    reads: 0,
    part: {
      kind: 'file',
      name,
      type,
      source: {
        owner,
        bytes: data.length,
        hasText: text !== null,
        async content() {
          held.reads += 1;
          return data;
        },
        text: async () => text,
        copies: isKept
          ? {
              find: async (project) => copies.get(project) ?? null,
              async recordNew(_, name) {
                held.unkept.add(name);
              },
              async keep(project, copy) {
                held.unkept.delete(copy.name);
                copies.set(project, copy);
              },
              async forget(project) {
                copies.delete(project);
              },
            }
          : null,
      },
    },
  };
  return held;
}

export function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

export interface StoredFile {
  id?: string;
  name?: string;
  type?: string;
  data?: Buffer;
  pages?: number | null;
  tokens?: number;
  /** What was found in it; null: nothing. */
  text?: string | null;
  everyTurn?: boolean;
  state?: 'uploading' | 'reading' | 'ready' | 'failed';
}

/** A file of a user as it stands when it was uploaded and read, by SQL alone. Returns its id. */
export async function storeFile(sql: Executor, userId: string, file: StoredFile = {}): Promise<string> {
  const {
    id = newId(),
    name = 'notes.txt',
    type = 'text/plain',
    pages = null,
    tokens = 100,
    everyTurn = true,
    state = 'ready',
  } = file;
  const { text = type === 'text/plain' ? 'Notes of mine' : null } = file;
  const data = file.data ?? Buffer.from(text ?? 'x');
  const length = data.length;
  await sql`
    insert into files (id, user_id, name, bytes, received, state, storage, type, sha256, pages, tokens, has_text, every_turn,
                       error_code, next_try_at, created_at, expires_at)
    values (${id}, ${userId}, ${name}, ${length}, ${state === 'uploading' ? 0 : length}, ${state}, 'database', ${type},
            ${createHash('sha256').update(data).digest()}, ${pages}, ${tokens}, ${text !== null}, ${everyTurn},
            ${state === 'failed' ? 'file_encrypted' : null}, ${state === 'reading' ? new Date(4e12) : null}, now(),
            now() + interval '1 day')`;
  const parts = { content: data, ...(text === null ? {} : { text: Buffer.from(text) }) };
  for (const [part, bytes] of Object.entries(parts)) {
    await sql`
      insert into file_chunks (file_id, part, start, length, bytes) values (${id}, ${part}, 0, ${bytes.length}, ${bytes})`;
  }
  return id;
}
