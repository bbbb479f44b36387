import type { FeedEvent } from '#server/chat/generation/feed.ts';

/** A piece of an answer; `json` is its text as a JSON string. */
export interface Piece {
  field: 'content' | 'reasoning_content';
  json: string;
}

const FIELDS: Record<string, Piece['field']> = { text: 'content', reasoning: 'reasoning_content' };
const HEAD = '{"text":'.length;

/** What an event of an answer adds to it, without parsing its text; null for a notice. */
export function readPiece({ type, data }: FeedEvent): Piece | null {
  const field = FIELDS[type];
  return field ? { field, json: data.slice(HEAD, -1) } : null;
}
