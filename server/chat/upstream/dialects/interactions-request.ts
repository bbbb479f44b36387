import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { HttpPost } from '../transport/http-pool.ts';
import type { KeptParts } from '../transport/kept-parts.ts';
import { asObject, parseJson } from '../transport/provider-refusal.ts';
import { sayPart } from '../transport/turn-parts.ts';
import type { GenerateRequest, SeenPart, Turn, TurnPart } from '../transport/upstream.ts';
import { keptOf, limitOf } from './gemini-request.ts';

/** The shape of the wire that is spoken here: steps instead of turns. */
const REVISION = '2026-05-20';

/** Where an interaction is created. */
export function interactionsPost(route: UpstreamRoute, version: string, body: string): HttpPost {
  return {
    url: new URL(`${route.baseUrl}/${version}/interactions`),
    headers: { ...route.headers, 'x-goog-api-key': route.apiKey ?? '', 'api-revision': REVISION },
    body,
  };
}

/** The dialect under which steps are stored: `generateContent` cannot read them, nor can its parts be read here. */
export function writerOf({ model }: UpstreamRoute): Pick<KeptParts, 'dialect' | 'model'> {
  return { dialect: 'gemini-interactions', model };
}

/** A step of words alone. */
function outputOf(text: string) {
  return { type: 'model_output', content: [{ type: 'text', text }] };
}

/**
 * The steps of a turn as JSON texts. Steps that this very model wrote go back byte for byte, with the results of its calls. Calls and
 * results of another are given in words, because a call without the thought that signed it is refused.
 */
function stepsOf(route: UpstreamRoute, turns: readonly Turn[], index: number): string[] {
  const [before, turn, next] = [turns[index - 1], turns[index], turns[index + 1]];
  if (!turn) return [];
  const kept = keptOf(writerOf(route), turn, next, outputOf);
  if (kept) return kept;
  const areResults = before !== undefined && keptOf(writerOf(route), before, turn, outputOf) !== null;
  const isResult = (part: TurnPart): part is SeenPart => areResults && part.kind === 'seen';
  const results = turn.parts.filter(isResult).map(resultOf);
  const content = turn.parts.filter((part) => !isResult(part)).flatMap(contentOf);
  const type = turn.role === 'model' ? 'model_output' : 'user_input';
  return [...results, ...(content.length > 0 ? [{ type, content }] : [])].map((step) => JSON.stringify(step));
}

/** The result of a call in a browser (ai.google.dev/gemini-api/docs/computer-use). */
function resultOf({ id, name, response, jpeg }: SeenPart) {
  const said = asObject(parseJson(response));
  const acknowledged = 'safety_acknowledgement' in said ? { safety_acknowledgement: true } : {};
  const text = JSON.stringify({ ...said, ...acknowledged });
  return { type: 'function_result', call_id: id, name, result: [{ type: 'text', text }, ...pictureOf(jpeg)] };
}

/** Empty texts are refused. */
function contentOf(part: TurnPart): object[] {
  if (part.kind === 'media') {
    const type = part.type.startsWith('image/') ? 'image' : 'document';
    return [{ type, mime_type: part.type, ...('data' in part ? { data: part.data } : { uri: part.uri }) }];
  }
  const text = sayPart(part);
  const said = text === '' ? [] : [{ type: 'text', text }];
  return part.kind === 'seen' ? [...said, ...pictureOf(part.jpeg)] : said;
}

function pictureOf(jpeg: string | null): object[] {
  return jpeg === null ? [] : [{ type: 'image', mime_type: 'image/jpeg', data: jpeg }];
}

/**
 * The body that has a model drive a browser (ai.google.dev/api/interactions-api): the whole conversation each time, and nothing of
 * it is to be stored there. What a browser's request never asks for is not written.
 */
export function interactionsBody(route: UpstreamRoute, request: GenerateRequest): string {
  const steps = request.turns.flatMap((_, index) => stepsOf(route, request.turns, index));
  const rest = JSON.stringify({
    model: route.model,
    system_instruction: request.system ?? undefined,
    generation_config: {
      max_output_tokens: limitOf(route, request),
      thinking_summaries: route.thoughts ? 'auto' : undefined,
    },
    tools: [
      {
        type: 'computer_use',
        environment: 'browser',
        enable_prompt_injection_detection: true,
      },
    ],
    stream: true,
    store: false,
  });
  return `{"input":[${steps.join(',')}],${rest.slice(1)}`;
}
