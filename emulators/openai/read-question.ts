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
