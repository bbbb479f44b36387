import { readableKept, writeKept } from '#server/chat/upstream/transport/kept-parts.ts';
import type { Turn } from '#server/chat/upstream/transport/upstream.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { TokenBuckets } from '#server/platform/token-buckets.ts';
import { joinRead } from './parse-content.ts';
import type { Completion } from './receive-completion.ts';

/** What a turn costs besides its text. */
const TURN_TOKENS = 4;
/** Longest request without its files, in UTF-16 code units: no model reads as many tokens as these are at least. */
const MAX_TEXT = 1_048_576;
/** The part of a user's requests of a minute that may be quotes with files, which are read for nothing. */
const FILE_QUOTES_PART = 10;

const fileQuotes = new TokenBuckets();

/** Whether a question brings pictures or files. */
export function hasFiles({ turns }: Pick<Completion['question'], 'turns'>): boolean {
  return turns.some(({ parts }) => parts.some(({ kind }) => kind === 'given'));
}

/** Looks at the credits of whoever makes the server read files. Throws `insufficient_credits` below what is needed at least. */
export async function requireCredits(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  needed: number,
): Promise<void> {
  const balance = await readBalance(deps, userId);
  if (balance < needed) throw new AppError('insufficient_credits', { needed, balance });
}

/** Counts a quote of a question that has files. Throws `rate_limited` for more than a minute has. */
export function limitFileQuotes(
  { config }: Pick<Deps, 'config'>,
  userId: string,
  question: Pick<Completion['question'], 'turns'>,
): void {
  if (!hasFiles(question)) return;
  const perMinute = Math.max(1, Math.floor(config.limits.apiRequestsPerMinute / FILE_QUOTES_PART));
  const seconds = fileQuotes.take(userId, perMinute);
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}

/** Tokens of a question without its files, as we estimate them. Throws `context_too_long` above the limit. */
export function limitQuestion(question: Completion['question'], limit: number): number {
  const read = question.turns.map(({ parts }) => joinRead(parts));
  const text = [...read, writeTools(question)].join('');
  // Counting all of it takes long: the rest is taken to be like its beginning.
  const perUnit = text.length > MAX_TEXT ? estimateTokens(text.slice(0, MAX_TEXT)) / MAX_TEXT : null;
  const tokens = perUnit === null ? countTokens(question) : Math.ceil(perUnit * text.length);
  if (perUnit !== null || tokens > limit) throw new AppError('context_too_long', { tokens, limit });
  return tokens;
}

/** Turns with what is kept of them, from the newest back, as far as it fits into so many tokens; older ones go without it. */
export function limitKept(turns: readonly Turn[], room: number): Turn[] {
  let left = room;
  const limited = turns.toReversed().map((turn) => {
    if (!turn.kept) return turn;
    left -= estimateTokens(readableKept(writeKept(turn.kept)));
    return left < 0 ? { ...turn, kept: null } : turn;
  });
  return limited.reverse();
}

/** All that the model reads: what is said, calls and results, and the functions that it may call with their schemas. */
function countTokens(question: Completion['question']): number {
  const said = question.turns.map(({ parts }) => estimateTokens(joinRead(parts)) + TURN_TOKENS);
  const instructions = [question.system ?? '', writeTools(question)].map(estimateTokens);
  return [...said, ...instructions].reduce((sum, tokens) => sum + tokens, 0);
}

function writeTools({ tools, format }: Completion['question']): string {
  return tools || format ? JSON.stringify([tools?.functions, format]) : '';
}
