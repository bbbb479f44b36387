import type { Feed } from '#server/chat/generation/feed.ts';
import { readSseFrame } from '#server/platform/sse.ts';

/** A piece of an answer; `json` is its text as a JSON string. */
export interface Piece {
  field: 'content' | 'reasoning_content';
  json: string;
}

const FIELDS: Record<string, Piece['field']> = { text: 'content', reasoning: 'reasoning_content' };
const HEAD = '{"text":'.length;

/** What event `index` of an answer adds to it, without parsing its text; null for a notice. */
export function readPiece(feed: Feed, index: number): Piece | null {
  const frame = feed.frames[index];
  if (!frame) return null;
  const { event, data } = readSseFrame(frame);
  const field = FIELDS[event];
  return field ? { field, json: data.slice(HEAD, -1) } : null;
}
