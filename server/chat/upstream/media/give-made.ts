import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { KeptParts } from '../transport/kept-parts.ts';
import { isFile, sayPart } from '../transport/turn-parts.ts';
import type { FilePart, Turn, TurnPart } from '../transport/upstream.ts';

/** The pictures of a model's turn that are sent back inside of its own parts. */
export function madeIn({ role, parts }: Turn): FilePart[] {
  return role === 'model' ? parts.filter(isFile) : [];
}

/**
 * Turns with the pictures that a model made, in the place where the route's model takes them: inside of its own parts, where it made them
 * itself and all of them can be read; else in front of the next turn of the user, because no provider takes a picture in a model's words.
 */
export function placeMade(route: UpstreamRoute, turns: readonly Turn[]): Turn[] {
  let moved: FilePart[] = [];
  return turns.map((turn) => {
    if (turn.role === 'user') {
      const parts: TurnPart[] = [...moved, ...turn.parts];
      moved = [];
      return { ...turn, parts };
    }
    if (turn.kept && isWhole(route, turn.kept, turn)) return turn;
    moved = madeIn(turn);
    if (moved.length === 0) return turn;
    const parts = turn.parts.map(
      (part): TurnPart => (isFile(part) ? { kind: 'text', text: `\n${sayPart(part)}\n` } : part),
    );
    return { role: turn.role, parts };
  });
}

/** Whether the turn goes back as it was written: each of its pictures is read in this turn. */
function isWhole({ dialect, model }: UpstreamRoute, kept: KeptParts, turn: Turn): boolean {
  if (kept.dialect !== dialect || kept.model !== model) return false;
  const atHand = new Set(madeIn(turn).map(({ fileId }) => fileId));
  const named = kept.lines.flatMap((line) => (typeof line === 'object' ? [line.fileId ?? ''] : []));
  return named.length > 0 && named.every((id) => atHand.has(id));
}

/** A model's turn with the very bytes of its pictures in what it wrote. */
export async function giveMade(turn: Turn): Promise<Turn> {
  const { kept } = turn;
  const files = new Map(madeIn(turn).map((file) => [file.fileId, file]));
  if (!kept || files.size === 0) return turn;
  const lines: KeptParts['lines'][number][] = [];
  for (const line of kept.lines) {
    const file = typeof line === 'object' ? files.get(line.fileId ?? '') : undefined;
    const data = (await file?.source.content())?.toString('base64');
    lines.push(typeof line === 'object' && data !== undefined ? { ...line, data } : line);
  }
  return { ...turn, parts: turn.parts.filter((part) => !isFile(part)), kept: { ...kept, lines } };
}
