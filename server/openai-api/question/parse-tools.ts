import type { CompletionRequest } from '#contract/openai.ts';
import type { AnswerFormat, FunctionTool, RequestTools } from '#server/chat/upstream/transport/upstream.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';

type Asked = Pick<CompletionRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/**
 * The caller's own functions, and which of them may be called; undefined without any. Throws `invalid_request`, naming the place, for a
 * name that is there twice, that none has, or a schema that is of no object.
 */
export function parseTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Asked) {
  const functions = (tools ?? []).map(readFunction);
  const names = new Set<string>();
  for (const [index, { name }] of functions.entries()) {
    if (names.has(name)) throw new AppError('invalid_request', { field: `tools.${index}.function.name` });
    names.add(name);
  }
  const named = namesIn(choice);
  if (!named.every((name) => names.has(name)) || (choice === 'required' && names.size === 0)) {
    throw new AppError('invalid_request', { field: 'tool_choice' });
  }
  if (functions.length === 0) return undefined;
  const isNarrowed = typeof choice === 'object' && choice?.type === 'allowed_tools';
  const asked: RequestTools = {
    functions: isNarrowed ? functions.filter(({ name }) => named.includes(name)) : functions,
    choice: readChoice(choice),
    parallel: parallel === false ? false : undefined,
  };
  return asked;
}

type Tool = NonNullable<CompletionRequest['tools']>[number];

function readFunction({ function: given }: Tool, index: number): FunctionTool {
  const { name, description, parameters, strict } = given;
  const isOfObject = parameters?.type === undefined || parameters.type === 'object';
  if (!isOfObject) {
    throw new AppError('invalid_request', { field: `tools.${index}.function.parameters.type` });
  }
  return {
    name,
    description: description ? cleanText(description) : undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  };
}

function namesIn(choice: Asked['tool_choice']): string[] {
  if (typeof choice !== 'object' || choice === null) return [];
  return choice.type === 'function'
    ? [choice.function.name]
    : choice.allowed_tools.tools.map((tool) => tool.function.name);
}

function readChoice(choice: Asked['tool_choice']): RequestTools['choice'] {
  if (typeof choice !== 'object' || choice === null) return choice ?? undefined;
  return choice.type === 'function' ? { name: choice.function.name } : choice.allowed_tools.mode;
}

/** How the answer is to be written: JSON, perhaps by a schema; undefined for text. */
export function parseFormat(format: CompletionRequest['response_format']): AnswerFormat | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return {};
  const { name, description, schema, strict } = format.json_schema;
  return {
    name,
    description: description ? cleanText(description) : undefined,
    schema: schema ?? undefined,
    strict: strict ?? undefined,
  };
}
