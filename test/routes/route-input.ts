import type { z } from 'zod';

/** What a route reads beside its path and headers. */
export interface RouteInput {
  /** Its JSON body; `bytes` for anything else; null where it reads none. */
  body: z.ZodType | 'bytes' | null;
  query?: z.ZodType;
  /** Headers that it reads, with values that are worth trying. */
  headers?: Readonly<Record<string, readonly string[]>>;
}

export const takes = (body: z.ZodType): RouteInput => ({ body });
export const asks = (query: z.ZodType): RouteInput => ({ body: null, query });
export const NOTHING: RouteInput = { body: null };
