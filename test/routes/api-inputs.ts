import { changeKeySchema, createKeySchema } from '#contract/keys.ts';
import { completionRequestSchema } from '#contract/openai.ts';
import { daysQuery } from '#server/openai-api/page-routes.ts';
import { asks, NOTHING, type RouteInput, takes } from './route-input.ts';

/** What the routes of the public API, of its keys, and of runs of a browser read. */
export const API_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /api/keys': takes(createKeySchema),
  'PATCH /api/keys/:id': takes(changeKeySchema),
  'DELETE /api/keys/:id': NOTHING,
  'GET /api/keys/usage': asks(daysQuery),
  'GET /api/keys/usage.csv': asks(daysQuery),
  'POST /api/completions': takes(completionRequestSchema),
  'POST /v1/chat/completions': takes(completionRequestSchema),
  'POST /v1/quotes': takes(completionRequestSchema),
};
