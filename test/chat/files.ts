import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { FileCopy, FilePart } from '#server/chat/upstream/transport/upstream.ts';

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
  }: { name: string; type: string; data?: Buffer; text?: string | null },
  isKept = true,
): HeldFile {
  const copies = new Map<string, FileCopy>();
  const held: HeldFile = {
    copies,
    reads: 0,
    part: {
      kind: 'file',
      name,
      type,
      source: {
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
              async keep(project, copy) {
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
