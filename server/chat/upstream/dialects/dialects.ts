import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';
import type { Dialect } from '../transport/dialect.ts';
import type { HttpPool } from '../transport/http-pool.ts';
import { createGeminiDialect } from './gemini.ts';
import { createOpenaiDialect } from './openai-compatible.ts';

export type Dialects = Record<UpstreamRoute['dialect'], Dialect>;

/** All that can be spoken, over one pool of connections. */
export function createDialects(pool: HttpPool, geminiApiVersion: string): Dialects {
  return {
    gemini: createGeminiDialect(pool, geminiApiVersion),
    'openai-compatible': createOpenaiDialect(pool),
  };
}
