import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import type { HttpPost } from '../transport/http-pool.ts';
import type { GenerateRequest } from '../transport/upstream.ts';
import { UpstreamError } from '../transport/upstream-error.ts';

/** Where a method of a model is called; the key goes in the header, never in the address. */
export function geminiPost(route: UpstreamRoute, version: string, method: string, body: unknown): HttpPost {
  const query = method === 'streamGenerateContent' ? '?alt=sse' : '';
  return {
    url: new URL(`${route.baseUrl}/${version}/models/${encodeURIComponent(route.model)}:${method}${query}`),
    headers: { ...route.headers, 'x-goog-api-key': route.apiKey ?? '' },
    body: JSON.stringify(body),
  };
}

function content(role: 'user' | 'model', text: string) {
  return { role, parts: [{ text }] };
}

function readCache(route: UpstreamRoute, request: GenerateRequest) {
  const { cachedContent, system } = request;
  if (!cachedContent) return {};
  if (cachedContent.model !== route.model || system !== null) {
    throw new UpstreamError(
      'cached_content_conflict',
      'the cached content is of another model, or the request repeats it',
    );
  }
  return { cachedContent: cachedContent.name };
}

function limitOf(route: UpstreamRoute, request: GenerateRequest): number | undefined {
  const limits = [request.maxOutputTokens, route.maxOutputTokens].filter((limit) => limit !== undefined);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/** The body of `generateContent` and its kin. Undefined fields fall out when it is written as JSON. */
export function geminiBody(route: UpstreamRoute, request: GenerateRequest, continuationToken?: string) {
  const generationConfig = {
    maxOutputTokens: limitOf(route, request),
    temperature: route.sampling ? request.temperature : undefined,
    topP: route.sampling ? request.topP : undefined,
    stopSequences: request.stop,
    seed: request.seed,
    thinkingConfig: route.thoughts ? { includeThoughts: true } : undefined,
  };
  const isConfigured = Object.values(generationConfig).some((value) => value !== undefined);
  return {
    contents: request.turns.map((turn) => content(turn.role, turn.text)),
    systemInstruction: request.system === null ? undefined : { parts: [{ text: request.system }] },
    generationConfig: isConfigured ? generationConfig : undefined,
    ...readCache(route, request),
    continuationToken,
  };
}
