import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { PictureOptions } from '#contract/message/quotes.ts';
import {
  type CompletionRequest,
  completionRequestSchema,
  inputMessageSchema,
  PARAMETERS_WITHOUT_EFFECT,
} from '#contract/openai.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { GenerateRequest } from '#server/chat/upstream/transport/upstream.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { holdMemory, limitBody } from './limit-body.ts';
import { MAX_TOTAL } from './open-files.ts';
import type { AskedTurn } from './parse-content.ts';
import { parseFormat, parseTools } from './parse-tools.ts';
import { readTurns } from './read-turns.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** What a caller asks for, in our own words. */
export interface Completion {
  model: string;
  isStreamed: boolean;
  includesUsage: boolean;
  /** Parameters that it has and nothing comes of. */
  ignored: string[];
  question: Pick<
    GenerateRequest,
    'system' | 'temperature' | 'topP' | 'stop' | 'seed' | 'tools' | 'format'
  > & {
    turns: AskedTurn[];
    /** As OpenAI's clients say it. */
    effort: CompletionRequest['reasoning_effort'];
    /** Which picture is wanted; undefined where nothing is said of pictures. */
    picture: PictureOptions | undefined;
    /** Search the web before answering. */
    isSearching: boolean;
    maxOutputTokens: number | undefined;
  };
}

/**
 * The body of `POST /v1/chat/completions`. Throws `unsupported_parameter` for what OpenAI knows and we do not, and `invalid_request`
 * for the rest, both naming the place in `params.field`.
 */
function parseCompletion(body: unknown): Completion {
  const issue = findMessageIssue(body);
  if (issue) throw refuse(issue);
  const parsed = completionRequestSchema.safeParse(body);
  if (parsed.success) return read(parsed.data);
  throw refuse(parsed.error.issues[0]);
}

/** A completion as it came. */
interface ReceivedCompletion {
  completion: Completion;
  /** Aborted once its caller's connection has closed. */
  signal: AbortSignal;
  /** Gives its memory back: to be called when its answer is over. */
  leave(): void;
}

/** The completion that a request asks for, whose body may be long. Throws as `limitBody` and `parseCompletion`. */
export async function receiveCompletion(
  { config }: Pick<Deps, 'config'>,
  c: Context<HttpEnv>,
  userId: string,
): Promise<ReceivedCompletion> {
  const { body, leave } = await limitBody(c, userId, config.dataDir);
  try {
    const completion = parseCompletion(body);
    const signal = signalOfCaller(c.env?.outgoing);
    if (!isFetching(completion)) return { completion, signal, leave };
    const leaveFetched = await holdMemory(userId, MAX_TOTAL);
    const leaveBoth = () => {
      leave();
      leaveFetched();
    };
    return { completion, signal, leave: leaveBoth };
  } catch (error) {
    leave();
    throw error;
  }
}

function signalOfCaller(outgoing: ServerResponse | undefined): AbortSignal {
  const caller = new AbortController();
  // It is not read; as a status from 500 on it would count as a fault of ours.
  const leave = () => caller.abort(new AppError('conflict'));
  if (outgoing?.closed) leave();
  else outgoing?.once('close', leave);
  return caller.signal;
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
  const isUnsupported = isUnknown || isBeyondUs(path);
  return new AppError(isUnsupported ? 'unsupported_parameter' : 'invalid_request', { field });
}

/** Whether a place of a request is one where OpenAI knows more than we do: another kind of message, tool or format among them. */
function isBeyondUs(path: string[]): boolean {
  const [name = '', , ofMessage = ''] = path;
  if (name === 'messages' && ['role', 'function_call', 'audio'].includes(ofMessage)) return true;
  if (name === 'modalities' || name === 'image_config') return true;
  return path.at(-1) === 'type' || PARAMETERS_WITHOUT_EFFECT.includes(name);
}

function read(request: CompletionRequest): Completion {
  const { system, turns } = readTurns(request.messages);
  return {
    model: request.model,
    isStreamed: request.stream === true,
    includesUsage: request.stream_options?.include_usage === true,
    ignored: listUnheeded(request),
    question: {
      system,
      turns,
      tools: parseTools(request),
      format: parseFormat(request.response_format),
      effort: request.reasoning_effort,
      picture: readPicture(request),
      isSearching: (request.web_search_options ?? null) !== null,
      temperature: request.temperature ?? undefined,
      topP: request.top_p ?? undefined,
      stop: readStop(request.stop),
      seed: request.seed ?? undefined,
      maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    },
  };
}

function readPicture({ modalities, image_config: config }: CompletionRequest): PictureOptions | undefined {
  if (!config) return modalities?.includes('image') ? {} : undefined;
  return { ratio: config.aspect_ratio ?? undefined, size: config.image_size ?? undefined };
}

function readStop(stop: CompletionRequest['stop']): string[] | undefined {
  const given = typeof stop === 'string' ? [stop] : (stop ?? []);
  return given.length > 0 ? given : undefined;
}

/** Options of a search that no provider of ours takes. */
function listUnheeded({ web_search_options: search }: CompletionRequest): string[] {
  const { search_context_size: size, user_location: location } = search ?? {};
  return [
    ...(size && size !== 'medium' ? ['web_search_options.search_context_size'] : []),
    ...(location ? ['web_search_options.user_location'] : []),
  ];
}
