import type { Context } from 'hono';
import type { z } from 'zod';
import {
  type CompletionRequest,
  completionRequestSchema,
  type InputMessage,
  inputMessageSchema,
  PARAMETERS_WITHOUT_EFFECT,
} from '#contract/openai.ts';
import type { GenerateRequest } from '#server/chat/upstream/transport/upstream.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import { readJson } from '#server/platform/http/parse-body.ts';
import { holdMemory, limitBody } from './limit-body.ts';
import { TOTAL_LIMIT } from './open-files.ts';
import { type AskedPart, type AskedTurn, joinTexts, parseContent } from './parse-content.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** What a caller asks for, in our own words. */
export interface Completion {
  model: string;
  isStreamed: boolean;
  includesUsage: boolean;
  question: Pick<GenerateRequest, 'system' | 'temperature' | 'topP' | 'stop' | 'seed'> & {
    turns: AskedTurn[];
    maxOutputTokens: number | undefined;
  };
}

/**
 * The body of `POST /v1/chat/completions`. Throws as `readJson`; `unsupported_parameter` for what OpenAI knows and we do not,
 * `invalid_request` for the rest, both naming the place in `params.field`.
 */
async function parseCompletion(c: Context): Promise<Completion> {
  const body = await readJson(c);
  const issue = findMessageIssue(body);
  if (issue) throw refuse(issue);
  const parsed = completionRequestSchema.safeParse(body);
  if (parsed.success) return read(parsed.data);
  throw refuse(parsed.error.issues[0]);
}

/**
 * The same of a request whose body may be long, with what gives its memory back: to be called when its answer is over. Throws as
 * `limitBody` too.
 */
export async function receiveCompletion(
  c: Context,
  userId: string,
): Promise<{ completion: Completion; leave(): void }> {
  const leave = await limitBody(c, userId);
  try {
    const completion = await parseCompletion(c);
    if (!isFetching(completion)) return { completion, leave };
    const leaveFetched = await holdMemory(userId, TOTAL_LIMIT);
    const leaveBoth = () => {
      leave();
      leaveFetched();
    };
    return { completion, leave: leaveBoth };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Whether pictures at addresses will be fetched, which may be as long as all that a request may bring. */
function isFetching({ question }: Completion): boolean {
  return question.turns.some(({ parts }) =>
    parts.some((part) => part.kind === 'given' && 'url' in part.source),
  );
}

/** The caller's own name of the request, so that a repeat is the same one; null without. Throws `invalid_request`. */
export function readIdempotencyKey(c: Context): string | null {
  const given = c.req.header('idempotency-key');
  if (given === undefined) return null;
  if (!KEY.test(given)) throw new AppError('invalid_request', { field: 'Idempotency-Key' });
  return given;
}

/** The first fault of the first message that has one: a schema looks at all of them, which for thousands takes long. */
function findMessageIssue(body: unknown): z.core.$ZodIssue | undefined {
  const messages = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : null;
  if (!Array.isArray(messages)) return undefined;
  for (const [index, message] of messages.entries()) {
    const issue = inputMessageSchema.safeParse(message).error?.issues[0];
    if (issue) return { ...issue, path: ['messages', index, ...issue.path] };
  }
  return undefined;
}

function refuse(issue: z.core.$ZodIssue | undefined): AppError {
  const isUnknown = issue?.code === 'unrecognized_keys';
  const path = [...(issue?.path ?? []), ...(isUnknown ? issue.keys.slice(0, 1) : [])].map(String);
  const field = path.join('.').slice(0, 100) || 'body';
  const isUnsupported = isUnknown || (path[0] === 'messages' ? isBeyondText(path) : isWithoutEffect(path));
  return new AppError(isUnsupported ? 'unsupported_parameter' : 'invalid_request', { field });
}

function isWithoutEffect([name = '']: string[]): boolean {
  return PARAMETERS_WITHOUT_EFFECT.includes(name);
}

function isBeyondText(path: string[]): boolean {
  return ['role', 'tool_calls', 'function_call', 'audio'].includes(path[2] ?? '');
}

function read(request: CompletionRequest): Completion {
  const said = request.messages.map((message, index) => ({
    role: message.role,
    parts: readParts(message, `messages.${index}`),
    field: `messages.${index}.content`,
  }));
  const isInstruction = ({ role }: { role: string }) => role === 'system' || role === 'developer';
  const instructions = said
    .filter(isInstruction)
    .map(({ parts }) => joinTexts(parts))
    .filter((text) => text.trim() !== '');
  return {
    model: request.model,
    isStreamed: request.stream === true,
    includesUsage: request.stream_options?.include_usage === true,
    question: {
      system: instructions.length > 0 ? instructions.join('\n\n') : null,
      turns: readTurns(said.filter((one) => !isInstruction(one))),
      temperature: request.temperature ?? undefined,
      topP: request.top_p ?? undefined,
      stop: readStop(request.stop),
      seed: request.seed ?? undefined,
      maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    },
  };
}

function readStop(stop: CompletionRequest['stop']): string[] | undefined {
  const given = typeof stop === 'string' ? [stop] : (stop ?? []);
  return given.length > 0 ? given : undefined;
}

/** The parts of a message; only the user's may have more than text. */
function readParts(message: InputMessage, field: string): AskedPart[] {
  const { role, content, refusal } = message;
  if (content === null || content === undefined) return [{ kind: 'text', text: cleanText(refusal ?? '') }];
  if (typeof content === 'string') return [{ kind: 'text', text: cleanText(content) }];
  return parseContent(content, { role, field: `${field}.content` });
}

interface Said {
  role: string;
  parts: AskedPart[];
  field: string;
}

/** The turns as providers take them: beginning and ending with the user's, two of one side in a row made one. */
function readTurns(said: Said[]): AskedTurn[] {
  const turns: AskedTurn[] = [];
  for (const { role, parts, field } of said) {
    const isModel = role === 'assistant';
    if (parts.every((part) => part.kind === 'text' && part.text.trim() === '')) {
      if (isModel) continue;
      throw new AppError('invalid_request', { field });
    }
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
