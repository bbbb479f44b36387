import type { AnswerPart, CallPart } from '#contract/message/parts.ts';
import type { ToolCall } from '#contract/openai.ts';
import { isHighSurrogate } from '#server/platform/clean-text.ts';

/** A piece of arguments in a stream, in UTF-16 code units. */
const PIECE = 200;
const ID = /^call_([\w-]{22})([0-9a-z]{2})$/;
const HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/**
 * The id of the n-th call of an answer, in the form of OpenAI's. It is of ours and names the answer, whatever the provider called it:
 * providers repeat theirs, or give none.
 */
function presentCallId(messageId: string, n: number): string {
  const bytes = Buffer.from(messageId.replaceAll('-', ''), 'hex');
  return `call_${bytes.toString('base64url')}${n.toString(36).padStart(2, '0')}`;
}

/** The answer and the number of the call that an id of ours names; null for any other. */
export function parseCallId(id: string): { messageId: string; n: number } | null {
  const [, name, n] = ID.exec(id) ?? [];
  if (name === undefined || n === undefined) return null;
  const hex = Buffer.from(name, 'base64url').toString('hex');
  return { messageId: hex.replace(HEX, '$1-$2-$3-$4-$5'), n: Number.parseInt(n, 36) };
}

/** The calls among the parts of an answer. */
export function callsOf(parts: readonly AnswerPart[]): CallPart[] {
  return parts.filter((part) => part.kind === 'call');
}

/** The calls of an answer; undefined without any. */
export function presentCalls(messageId: string, parts: readonly AnswerPart[]): ToolCall[] | undefined {
  const calls = callsOf(parts).map(({ name, args }, n) => ({
    id: presentCallId(messageId, n),
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return calls.length > 0 ? calls : undefined;
}

/** The n-th call of an answer as the deltas of a stream, as JSON: id and name, then its arguments piece by piece. */
export function presentCallDeltas(messageId: string, n: number, { name, args }: CallPart): string[] {
  const deltas: object[] = [
    { index: n, id: presentCallId(messageId, n), type: 'function', function: { name, arguments: '' } },
  ];
  for (let from = 0; from < args.length; ) {
    const to = from + PIECE + (isHighSurrogate(args.charCodeAt(from + PIECE - 1)) ? 1 : 0);
    deltas.push({ index: n, function: { arguments: args.slice(from, to) } });
    from = to;
  }
  return deltas.map((delta) => `"tool_calls":[${JSON.stringify(delta)}]`);
}
