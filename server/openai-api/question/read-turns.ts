import type { InputMessage } from '#contract/openai.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import { type AskedPart, type AskedTurn, joinTexts, parseContent } from './parse-content.ts';

/** One message of a request, and its place there. */
interface Said {
  role: InputMessage['role'];
  parts: AskedPart[];
  field: string;
}

/** What a request says: the instructions that hold for all of it, null without any, and the turns. */
interface Conversation {
  system: string | null;
  turns: AskedTurn[];
}

/** The messages of a request as instructions and turns. Throws `unsupported_parameter` and `invalid_request`, naming the place. */
export function readTurns(messages: readonly InputMessage[]): Conversation {
  const said = readMessages(messages);
  const isInstruction = ({ role }: Said) => role === 'system' || role === 'developer';
  const instructions = said
    .filter(isInstruction)
    .map(({ parts }) => joinTexts(parts))
    .filter((text) => text.trim() !== '');
  return {
    system: instructions.length > 0 ? instructions.join('\n\n') : null,
    turns: joinTurns(said.filter((one) => !isInstruction(one))),
  };
}

/** The messages with their calls and results. Each call is answered once, before anyone goes on; every provider refuses else. */
function readMessages(messages: readonly InputMessage[]): Said[] {
  const waiting = new Map<string, string>();
  let asking = '';
  const refuseOpen = () => {
    if (waiting.size > 0) throw new AppError('tool_result_missing', { field: `${asking}.tool_calls` });
  };
  const said = messages.map((message, index): Said => {
    const { role } = message;
    const at = `messages.${index}`;
    if (role === 'tool') return { role, parts: [readResult(message, at, waiting)], field: at };
    if (role === 'user' || role === 'assistant') refuseOpen();
    const parts = [...readContent(message, at), ...readCalls(message, at, waiting)];
    if (role === 'assistant') asking = at;
    return { role, parts, field: `${at}.content` };
  });
  refuseOpen();
  return said;
}

function readContent({ role, content, refusal }: InputMessage, at: string): AskedPart[] {
  if (content === null || content === undefined) return [{ kind: 'text', text: cleanText(refusal ?? '') }];
  if (typeof content === 'string') return [{ kind: 'text', text: cleanText(content) }];
  return parseContent(content, { role, field: `${at}.content` });
}

/** The calls of a message of the assistant's, which wait for their results from here on. */
function readCalls(message: InputMessage, at: string, waiting: Map<string, string>): AskedPart[] {
  const calls = message.tool_calls ?? [];
  if (calls.length > 0 && message.role !== 'assistant') {
    throw new AppError('invalid_request', { field: `${at}.tool_calls` });
  }
  return calls.map(({ id, function: { name, arguments: args } }, index) => {
    if (waiting.has(id)) throw new AppError('invalid_request', { field: `${at}.tool_calls.${index}.id` });
    waiting.set(id, name);
    return { kind: 'call', id, name, args: cleanText(args) };
  });
}

function readResult(message: InputMessage, at: string, waiting: Map<string, string>): AskedPart {
  const id = message.tool_call_id ?? '';
  const name = waiting.get(id);
  if (name === undefined) throw new AppError('tool_call_unknown', { field: `${at}.tool_call_id` });
  waiting.delete(id);
  return { kind: 'result', id, name, output: joinTexts(readContent(message, at)) };
}

function isBlank(part: AskedPart): boolean {
  return part.kind === 'text' && part.text.trim() === '';
}

/** The turns as providers take them: beginning and ending with the user's, two of one side in a row made one. */
function joinTurns(said: readonly Said[]): AskedTurn[] {
  const turns: AskedTurn[] = [];
  for (const { role, parts: given, field } of said) {
    const isModel = role === 'assistant';
    if (given.every(isBlank)) {
      if (isModel) continue;
      throw new AppError('invalid_request', { field });
    }
    const parts = isModel ? given.filter((part) => !isBlank(part)) : given;
    const last = turns.at(-1);
    if (!last && isModel) throw new AppError('unsupported_parameter', { field });
    if (last && (last.role === 'model') === isModel) {
      turns[turns.length - 1] = { ...last, parts: joinParts(last.parts, parts) };
    } else turns.push({ role: isModel ? 'model' : 'user', parts });
  }
  if (turns.length === 0) throw new AppError('invalid_request', { field: 'messages' });
  if (turns.at(-1)?.role === 'model') {
    throw new AppError('unsupported_parameter', { field: said.at(-1)?.field ?? 'messages' });
  }
  return turns;
}

function joinParts(before: AskedPart[], after: AskedPart[]): AskedPart[] {
  const [last, first] = [before.at(-1), after[0]];
  if (last?.kind !== 'text' || first?.kind !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { kind: 'text', text: `${last.text}\n\n${first.text}` }, ...after.slice(1)];
}
