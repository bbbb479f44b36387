import { writeSync } from 'node:fs';
import { documentTokens, PICTURE_TOKENS } from '#server/catalogue/file-rules.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import type { FileFault, Found } from './reading-rules.ts';

/** Descriptor of the child process on which its parent listens. */
export const RESULT = 3;
const MAX_MESSAGE = 500;

/** Says that work goes on: a page was read, a MB unpacked. In the child process alone. */
export function sendProgress(): void {
  write(Buffer.from('\n'));
}

/** A line of JSON, then text, thumbnail and content one behind the other. */
export function sendResult(found: Found): void {
  const { text, thumbnail, content, ...rest } = found;
  const parts = [Buffer.from(text.toWellFormed()), thumbnail ?? Buffer.alloc(0), content ?? Buffer.alloc(0)];
  const lengths = parts.map(({ length }) => length);
  write(Buffer.from(`${JSON.stringify({ ...rest, tokens: tokensOf(found), lengths })}\n`));
  for (const part of parts) write(part);
}

export function sendFault({ code, message }: FileFault): void {
  write(Buffer.from(`${JSON.stringify({ fault: code, message: message.slice(0, MAX_MESSAGE) })}\n`));
}

function tokensOf({ thumbnail, type, pages, text }: Found): number {
  if (thumbnail) return PICTURE_TOKENS;
  return type === 'application/pdf' ? documentTokens(pages ?? null) : estimateTokens(text);
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(RESULT, bytes, at);
}
