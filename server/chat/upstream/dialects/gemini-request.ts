import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { HttpPost } from '../transport/http-pool.ts';
import { expandKept, type KeptParts } from '../transport/kept-parts.ts';
import { parseJson } from '../transport/provider-refusal.ts';
import { areCallsAnswered, callsOf, sayPart, textOf } from '../transport/turn-parts.ts';
import type {
  GenerateRequest,
  MediaPart,
  RequestTools,
  SeenPart,
  Turn,
  TurnPart,
} from '../transport/upstream.ts';

const BROWSER = { environment: 'ENVIRONMENT_BROWSER', enablePromptInjectionDetection: true };

/** Google's own word for a call whose signature is not there: without any, newer models refuse the request. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Where a method of a model is called; the key goes in the header, never in the address. */
export function geminiPost(route: UpstreamRoute, version: string, method: string, body: string): HttpPost {
  const query = method === 'streamGenerateContent' ? '?alt=sse' : '';
  return {
    url: new URL(`${route.baseUrl}/${version}/models/${encodeURIComponent(route.model)}:${method}${query}`),
    headers: { ...route.headers, 'x-goog-api-key': route.apiKey ?? '' },
    body,
  };
}

/** The JSON of a turn. A turn that this very model wrote goes back byte for byte. */
function contentOf(route: UpstreamRoute, turns: readonly Turn[], index: number): string {
  const turn = turns[index];
  if (!turn) return '';
  const next = turns[index + 1];
  const parts = keptOf(route, turn, next, (text) => ({ text })) ?? toldOf(turn, turns[index - 1], next);
  return `{"role":"${turn.role}","parts":[${parts.join(',')}]}`;
}

/** The parts of a turn as this model wrote them, as JSON texts; null where another model did, or calls lack their results. */
export function keptOf(
  writer: Pick<KeptParts, 'dialect' | 'model'>,
  turn: Turn,
  next: Turn | undefined,
  partOf: (text: string) => unknown,
): string[] | null {
  const { kept } = turn;
  if (!kept || kept.dialect !== writer.dialect || kept.model !== writer.model) return null;
  if (!areCallsAnswered(callsOf(turn), next)) return null;
  return expandKept(kept, textOf(turn), partOf);
}

/** The parts of a turn as any model reads them. Calls and results that do not belong to each other are given in words. */
function toldOf(turn: Turn, before: Turn | undefined, next: Turn | undefined): string[] {
  const calls = turn.role === 'model' ? callsOf(turn) : before ? callsOf(before) : [];
  const areWhole = areCallsAnswered(calls, turn.role === 'model' ? next : turn);
  return turn.parts.map((part) => partOf(part, areWhole) ?? JSON.stringify({ text: sayPart(part) }));
}

function partOf(part: TurnPart, areWhole: boolean): string | null {
  if (part.kind === 'text') return JSON.stringify({ text: part.text });
  if (part.kind === 'media') return mediaOf(part);
  if (part.kind === 'file') return null;
  if (!areWhole || part.kind === 'code' || part.kind === 'output') return null;
  if (part.kind === 'seen') return seenOf(part);
  const { id, name } = part;
  if (part.kind === 'result') {
    const response = parseObject(part.output) ? part.output : JSON.stringify({ output: part.output });
    return `{"functionResponse":{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"response":${response}}}`;
  }
  const args = parseObject(part.args) ? part.args : '{}';
  const signature = JSON.stringify(part.signature ?? NO_SIGNATURE);
  return `{"functionCall":{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${args}},"thoughtSignature":${signature}}`;
}

/** The result of a call in a browser (ai.google.dev/gemini-api/docs/computer-use); a call without an id is answered without one. */
function seenOf({ id, name, response, jpeg }: SeenPart): string {
  const parts = jpeg === null ? undefined : [{ inlineData: { mimeType: 'image/jpeg', data: jpeg } }];
  const functionResponse = { ...(id === '' ? {} : { id }), name, response: JSON.parse(response), parts };
  return JSON.stringify({ functionResponse });
}

function mediaOf(part: MediaPart): string {
  const { type: mimeType } = part;
  return 'data' in part
    ? JSON.stringify({ inlineData: { mimeType, data: part.data } })
    : JSON.stringify({ fileData: { mimeType, fileUri: part.uri } });
}

/**
 * Pictures are looked at closely unless all that the model sees may be looked at briefly (ai.google.dev/gemini-api/docs/media-resolution:
 * of one part it can be said on newer versions of the API only).
 */
function resolutionOf({ turns }: GenerateRequest): string | undefined {
  const media = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'media'));
  const isBrief = media.length > 0 && media.every(({ detail }) => detail === 'low');
  return isBrief ? 'MEDIA_RESOLUTION_LOW' : undefined;
}

/** Whether a text is a JSON object. */
function parseObject(text: string): boolean {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema as Google takes it: which JSON Schema it is written in is not to be said, and none is better than an empty one. */
function schemaOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function formatOf({ format }: GenerateRequest) {
  if (!format) return {};
  return { responseMimeType: 'application/json', responseJsonSchema: schemaOf(format.schema) };
}

const CHOICES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** Those of Google's own tools that are asked for, and that the route's model has. */
function ownTools({ tools: has }: UpstreamRoute, { search, addresses, code, browser }: RequestTools) {
  const can = (tool: 'search' | 'addresses' | 'code') => has?.includes(tool) ?? true;
  return [
    ...(search && can('search') ? [{ googleSearch: {} }] : []),
    ...(addresses && can('addresses') ? [{ urlContext: {} }] : []),
    ...(code && can('code') ? [{ codeExecution: {} }] : []),
    ...(browser ? [{ computerUse: BROWSER }] : []),
  ];
}

function toolsOf(route: UpstreamRoute, { tools = {} }: GenerateRequest) {
  const { functions = [], choice } = tools;
  const own = ownTools(route, tools);
  if (functions.length === 0) return own.length > 0 ? { tools: own } : {};
  const functionDeclarations = functions.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    parametersJsonSchema: schemaOf(parameters),
  }));
  const functionCallingConfig =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.name] }
      : { mode: CHOICES[choice ?? 'auto'] };
  return {
    tools: [...own, { functionDeclarations }],
    toolConfig: {
      functionCallingConfig,
      ...(own.length > 0 ? { includeServerSideToolInvocations: true } : {}),
    },
  };
}

/** The amount of thinking, as far as the model takes it: a level, or for older models a budget (never both). */
function thinkingOf({ thoughts, efforts, thinkingBudgets }: UpstreamRoute, { effort }: GenerateRequest) {
  const takesEffort = effort !== undefined && efforts.includes(effort);
  if (!thoughts && !takesEffort) return undefined;
  return {
    includeThoughts: thoughts ? true : undefined,
    thinkingBudget: takesEffort ? thinkingBudgets?.[effort] : undefined,
    thinkingLevel: takesEffort && !thinkingBudgets ? effort.toUpperCase() : undefined,
  };
}

/** The form of the picture to make; without a ratio the model chooses (ai.google.dev/gemini-api/docs/image-generation). */
function picturesOf({ picture }: GenerateRequest) {
  if (!picture) return {};
  const { ratio, size = '1K' } = picture;
  return { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: ratio, imageSize: size } };
}

/** Most tokens of output: the least of all limits. */
export function limitOf(route: UpstreamRoute, request: GenerateRequest): number | undefined {
  const limits = [request.maxOutputTokens, route.maxOutputTokens].filter((limit) => limit !== undefined);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/**
 * The body of `generateContent` and its kin as JSON text, `extra` before all else. Undefined fields fall out. Written by hand
 * where parts go back as they came: what JSON.parse and JSON.stringify make of them need not be the same bytes.
 */
export function geminiBody(
  route: UpstreamRoute,
  request: GenerateRequest,
  extra: { model?: string; continuationToken?: string | undefined } = {},
): string {
  const generationConfig = {
    maxOutputTokens: limitOf(route, request),
    temperature: route.sampling ? request.temperature : undefined,
    topP: route.sampling ? request.topP : undefined,
    stopSequences: request.stop,
    seed: request.seed,
    mediaResolution: resolutionOf(request),
    thinkingConfig: thinkingOf(route, request),
    ...formatOf(request),
    ...picturesOf(request),
  };
  const isConfigured = Object.values(generationConfig).some((value) => value !== undefined);
  const rest = JSON.stringify({
    ...extra,
    systemInstruction: request.system === null ? undefined : { parts: [{ text: request.system }] },
    generationConfig: isConfigured ? generationConfig : undefined,
    ...toolsOf(route, request),
  });
  const contents = request.turns.map((_, index) => contentOf(route, request.turns, index));
  return `{"contents":[${contents.join(',')}]${rest === '{}' ? '' : ','}${rest.slice(1)}`;
}
