import type { AskedTurn, Question } from '../plan-answer.ts';

type Json = Record<string, unknown>;

/** A request that OpenAI would refuse with 400; `param` names the field. */
export class InvalidRequest extends Error {
  readonly param: string;

  constructor(message: string, param: string) {
    super(message);
    this.param = param;
  }
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Json) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

/** What OpenAI refuses of calls, and DeepSeek of pictures and files. */
function checkParts(model: string, messages: Json[]) {
  let waiting: string[] = [];
  for (const [index, { role, content, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    const isResult = role === 'tool';
    if (isResult !== waiting.includes(String(id)) || (!isResult && waiting.length > 0)) {
      throw new InvalidRequest(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        `messages[${index}].role`,
      );
    }
    waiting = waiting.filter((each) => each !== id);
    if (Array.isArray(calls)) waiting = calls.map((call: Json) => String(call.id));
    const isBlind = model.startsWith('deepseek') && Array.isArray(content);
    if (isBlind && content.some((part: Json) => part.type !== 'text')) {
      throw new InvalidRequest('unknown variant, expected `text`', `messages[${index}].content`);
    }
  }
}

export interface ChatQuestion extends Question {
  /** All text of the request, for counting. */
  said: string;
}

/** Reads the body of `POST /chat/completions`; throws `InvalidRequest` on what OpenAI refuses. */
export function readQuestion(body: Json): ChatQuestion {
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '') {
    throw new InvalidRequest('you must provide a model parameter', 'model');
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new InvalidRequest(
      "Invalid 'messages': empty array. Expected an array with minimum length 1.",
      'messages',
    );
  }
  const said = messages.map((message: Json, index) => {
    const role = String(message?.role);
    if (!ROLES.includes(role)) {
      throw new InvalidRequest(
        `Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`,
        `messages[${index}].role`,
      );
    }
    return { role, text: readText(message.content) };
  });
  checkParts(model, messages);
  const turns: AskedTurn[] = said
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'model', text }));
  const wantsThoughts = body.enable_thinking === true || /reason|think|r1/i.test(model);
  const system = said
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ text }) => text)
    .join('\n');
  return { turns, system, model, wantsThoughts, part: 0, said: said.map(({ text }) => text).join('\n') };
}
