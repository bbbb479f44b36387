import { readDataUrl, readNameBefore, readTold, type SeenFile, seeFile } from '../files/seen-file.ts';
import type { Offer, OfferedFunction } from '../functions/call-functions.ts';
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

const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** The files among the parts of a message; throws `InvalidRequest` on what OpenAI refuses of them. */
function readFiles(content: unknown, place: string): SeenFile[] {
  const parts = Array.isArray(content) ? (content as Json[]) : [];
  return parts.flatMap((part, index) => {
    const before = parts[index - 1]?.text;
    if (part.type === 'image_url') {
      const url = String((part.image_url as Json | undefined)?.url ?? '');
      if (/^https?:/.test(url)) return [seeFile(Buffer.from(url), 'image/*', url)];
      const found = readDataUrl(url);
      if (found && PICTURES.includes(found.type)) {
        return [seeFile(found.data, found.type, readNameBefore(typeof before === 'string' ? before : ''))];
      }
      const message =
        "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
      throw new InvalidRequest(message, `${place}.content[${index}].image_url`);
    }
    if (part.type !== 'file') return [];
    const { file_data: data, filename } = (part.file ?? {}) as Json;
    const found = readDataUrl(String(data ?? ''));
    if (found?.type === 'application/pdf' && typeof filename === 'string') {
      return [seeFile(found.data, found.type, filename)];
    }
    throw new InvalidRequest('Invalid file data.', `${place}.content[${index}].file`);
  });
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The functions of a request, the calls that it brings back, and what OpenAI refuses of them. */
function readOffer(body: Json, messages: Json[]): Offer {
  const tools = Array.isArray(body.tools) ? (body.tools as Json[]) : [];
  const functions = tools.map((tool, index): OfferedFunction => {
    const { name, description, parameters } = (tool.function ?? {}) as Json;
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new InvalidRequest(
        `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        `tools[${index}].function.name`,
      );
    }
    return { name, description: String(description ?? ''), parameters };
  });
  if (body.tool_choice !== undefined && functions.length === 0) {
    throw new InvalidRequest("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
  }
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const names = new Map(
    since.flatMap(({ tool_calls: calls }) =>
      (Array.isArray(calls) ? (calls as Json[]) : []).map((call) => [call.id, (call.function as Json).name]),
    ),
  );
  const from = since.findLastIndex(({ role }) => role === 'assistant') + 1;
  const named = (body.tool_choice as Json | undefined)?.function as { name: string } | undefined;
  return {
    functions,
    choice: named ?? ((body.tool_choice ?? 'auto') as 'auto'),
    isParallel: body.parallel_tool_calls !== false,
    rounds: since.filter(({ tool_calls: calls }) => Array.isArray(calls)).length,
    results: since.slice(from).map(({ tool_call_id: id, content }) => ({
      name: String(names.get(id)),
      output: readText(content),
    })),
  };
}

function readFormat({ response_format: format }: Json): Question['format'] {
  const { type, json_schema: given } = (format ?? {}) as Json;
  if (type === 'json_object') return {};
  return type === 'json_schema' ? { schema: (given as Json).schema } : null;
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
    const { said, files } = readTold(readText(message.content));
    return { role, text: said, files: [...readFiles(message.content, `messages[${index}]`), ...files] };
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
  const files = said.flatMap((each) => each.files);
  return {
    turns,
    system,
    model,
    wantsThoughts,
    part: 0,
    files,
    offer: readOffer(body, messages),
    format: readFormat(body),
    said: said.map(({ text }) => text).join('\n'),
  };
}
