import { isDeepStrictEqual } from 'node:util';
import type { CallPart } from '#contract/message/parts.ts';
import { readParts } from '#server/chat/message-store/message-parts.ts';
import { readKept } from '#server/chat/upstream/transport/kept-parts.ts';
import type { Deps } from '#server/deps.ts';
import { callsOf, parseCallId } from './answer/present-calls.ts';
import { type AskedTurn, joinTexts } from './question/parse-content.ts';
import { type CallingRow, findCalling } from './store.ts';

/** Answers that are looked up for one request, the newest first. */
const MAX_CALLS = 100;

/**
 * The turns of a request, those that are answers of ours to this user as their model wrote them: its provider refuses a call without
 * the signature that it gave with it, which no client of OpenAI's carries. What the caller has changed stays as the caller has it, and
 * what is of another user, another provider or erased by now as well.
 */
export async function restoreCalls(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  turns: readonly AskedTurn[],
): Promise<AskedTurn[]> {
  const ids = new Set(turns.flatMap((turn) => messageIdOf(turn) ?? []).toReversed());
  if (ids.size === 0) return [...turns];
  const rows = await findCalling(database.sql, userId, [...ids].slice(0, MAX_CALLS));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const restored = turns.map((turn) => ({ turn, names: null as ReadonlyMap<string, string> | null }));
  for (const [index, turn] of turns.entries()) {
    const row = byId.get(messageIdOf(turn) ?? '');
    const names = row ? namesOf(turn, row) : null;
    const next = turns[index + 1];
    if (!row || !names || !next) continue;
    restored[index] = { turn: { ...rename(turn, names), kept: readKept(row.kept) }, names };
  }
  return restored.map(({ turn }, index) => {
    const names = restored[index - 1]?.names;
    return names ? rename(turn, names) : turn;
  });
}

/** The answer that a turn with calls is, by the ids of all of them; null where they are not all of one answer of ours. */
function messageIdOf({ role, parts }: AskedTurn): string | null {
  const calls = role === 'model' ? parts.filter((part) => part.kind === 'call') : [];
  const places = calls.map(({ id }) => parseCallId(id));
  const first = places[0]?.messageId;
  return first && places.every((place, n) => place?.messageId === first && place.n === n) ? first : null;
}

/** The provider's own names of the calls, by ours; null where the turn is not what was answered, or they name nothing. */
function namesOf({ parts }: AskedTurn, { output, response }: CallingRow): Map<string, string> | null {
  const made = callsOf(readParts(output, response) ?? []);
  const said = parts.filter((part) => part.kind === 'call');
  const isSame = made.length === said.length && made.every((call, n) => isSameCall(call, said[n]));
  const own = new Set(made.map(({ id }) => id));
  if (!isSame || own.size < made.length || own.has('') || joinTexts(parts) !== response) return null;
  return new Map(said.map(({ id }, n) => [id, made[n]?.id ?? id]));
}

/** Clients write arguments anew: what counts is what they mean. */
function isSameCall(made: CallPart, said: CallPart | undefined): boolean {
  if (!said || said.name !== made.name) return false;
  return said.args === made.args || isDeepStrictEqual(parse(said.args), parse(made.args));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function rename(turn: AskedTurn, names: ReadonlyMap<string, string>): AskedTurn {
  const parts = turn.parts.map((part) =>
    part.kind === 'call' || part.kind === 'result' ? { ...part, id: names.get(part.id) ?? part.id } : part,
  );
  return { ...turn, parts };
}
