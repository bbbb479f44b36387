import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { Log } from '#server/platform/log.ts';
import type { HttpPool } from '../transport/http-pool.ts';
import { type MeasuredDialect, measureUse } from '../transport/measure-use.ts';
import { createGeminiDialect } from './gemini.ts';
import { withInteractions } from './interactions.ts';
import { createOpenaiDialect } from './openai-compatible.ts';

export type Dialects = Record<UpstreamRoute['dialect'], MeasuredDialect>;

/** All that can be spoken, over one pool of connections. */
export function createDialects(pool: HttpPool, geminiApiVersion: string, log: Log): Dialects {
  return {
    gemini: measureUse(
      withInteractions(createGeminiDialect(pool, geminiApiVersion), pool, geminiApiVersion, log),
    ),
    'openai-compatible': measureUse(createOpenaiDialect(pool)),
  };
}
