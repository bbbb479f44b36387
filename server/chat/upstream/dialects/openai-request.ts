import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { HttpPost } from '../transport/http-pool.ts';
import { areCallsAnswered, callsOf, sayPart, textOf } from '../transport/turn-parts.ts';
import type { GenerateRequest, SignedCall, Turn, TurnPart } from '../transport/upstream.ts';

/** Where a method is called; a route without a key sends none. */
export function openaiPost(route: UpstreamRoute, path: string, body: string): HttpPost {
  const authorization = route.apiKey === null ? {} : { authorization: `Bearer ${route.apiKey}` };
  return { url: new URL(`${route.baseUrl}/${path}`), headers: { ...authorization, ...route.headers }, body };
}

/** The body of `chat/completions` as JSON text. Undefined fields fall out. */
export function chatBody(route: UpstreamRoute, request: GenerateRequest): string {
  const limits = [request.maxOutputTokens, route.maxOutputTokens].filter((limit) => limit !== undefined);
  const system = request.system === null ? [] : [JSON.stringify({ role: 'system', content: request.system })];
  const said = request.turns.flatMap((_, index) => messagesOf(route, request.turns, index));
  const rest = JSON.stringify({
    stream: true,
    stream_options: route.streamUsage ? { include_usage: true } : undefined,
    [route.maxTokensField]: limits.length > 0 ? Math.min(...limits) : undefined,
    temperature: route.sampling ? request.temperature : undefined,
    top_p: route.sampling ? request.topP : undefined,
    stop: request.stop,
    seed: request.seed,
    reasoning_effort: request.effort && route.efforts.includes(request.effort) ? request.effort : undefined,
    ...toolsOf(request),
    ...formatOf(request),
    ...route.extraBody,
  });
  const model = JSON.stringify(route.model);
  return `{"model":${model},"messages":[${[...system, ...said].join(',')}],${rest.slice(1)}`;
}

function toolsOf({ tools = {} }: GenerateRequest) {
  const { functions = [], choice, parallel } = tools;
  if (functions.length === 0) return {};
  return {
    tools: functions.map((each) => ({ type: 'function', function: each })),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: choice } : choice,
    parallel_tool_calls: parallel === false ? false : undefined,
  };
}

function formatOf({ format }: GenerateRequest) {
  if (!format) return {};
  const { name = 'answer', ...rest } = format;
  return {
    response_format:
      rest.schema === undefined
        ? { type: 'json_object' }
        : { type: 'json_schema', json_schema: { name, ...rest } },
  };
}

/** The messages of a turn, as JSON: each result of a call is one of its own, before what the user says. */
function messagesOf(route: UpstreamRoute, turns: readonly Turn[], index: number): string[] {
  const turn = turns[index];
  if (!turn) return [];
  const before = turns[index - 1];
  if (turn.role === 'model') {
    return [assistantMessage(route, turn, areCallsAnswered(callsOf(turn), turns[index + 1]))];
  }
  const areWhole = before !== undefined && areCallsAnswered(callsOf(before), turn);
  const results = turn.parts.flatMap((part) =>
    part.kind === 'result' && areWhole
      ? [JSON.stringify({ role: 'tool', tool_call_id: part.id, content: part.output })]
      : [],
  );
  const others = turn.parts.filter((part) => part.kind !== 'result' || !areWhole);
  return others.length > 0
    ? [...results, JSON.stringify({ role: 'user', content: contentOf(route, others) })]
    : results;
}

function assistantMessage(route: UpstreamRoute, turn: Turn, areAnswered: boolean): string {
  const calls = turn.parts.filter((part): part is SignedCall => part.kind === 'call');
  if (calls.length === 0 || !areAnswered) {
    return JSON.stringify({ role: 'assistant', content: turn.parts.map(sayPart).join('\n\n') });
  }
  const content = JSON.stringify(textOf(turn) || null);
  return `{"role":"assistant","content":${content},"tool_calls":${keptCalls(route, turn) ?? writeCalls(calls)}}`;
}

/** The calls as this very model made them, with the fields that its provider added. */
function keptCalls(route: UpstreamRoute, { kept }: Turn): string | null {
  const isOwn = kept && kept.dialect === route.dialect && kept.model === route.model;
  const line = isOwn ? kept.lines.find((each) => typeof each === 'string') : undefined;
  return line === undefined ? null : String(line);
}

function writeCalls(calls: readonly SignedCall[]): string {
  return JSON.stringify(
    calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
  );
}

function contentOf(route: UpstreamRoute, parts: readonly TurnPart[]) {
  if (parts.every((part) => part.kind === 'text')) return parts.map(sayPart).join('');
  return parts.map((part) => mediaOf(route, part) ?? { type: 'text', text: sayPart(part) });
}

/** A picture or a file in OpenAI's shape; null where the route's model cannot read it. */
function mediaOf(route: UpstreamRoute, part: TurnPart) {
  if (part.kind !== 'media') return null;
  const url = 'data' in part ? `data:${part.type};base64,${part.data}` : part.uri;
  if (part.type.startsWith('image/')) {
    return route.reads.includes('images')
      ? { type: 'image_url', image_url: { url, detail: part.detail } }
      : null;
  }
  if (!route.reads.includes('files') || !('data' in part)) return null;
  return { type: 'file', file: { file_data: url, filename: part.name ?? 'file' } };
}
