import { deleteAccountSchema } from '#contract/personal-data.ts';
import { entriesQuery, noQuery } from '#server/credits/routes.ts';
import { modelsQuery } from '#server/openai-api/routes.ts';
import { ACCOUNT_INPUTS } from '../accounts/inputs.ts';
import { ADMIN_INPUTS } from '../admin/inputs.ts';
import { BILLING_INPUTS } from '../billing/inputs.ts';
import { CHAT_INPUTS } from '../chat/inputs.ts';
import { FILE_INPUTS } from '../files/inputs.ts';
import { API_INPUTS } from './api-inputs.ts';
import { asks, type RouteInput, takes } from './route-input.ts';

/** Every route that changes something, and every other one that reads a query. A new one fails `server/fuzz.test.ts` until it is here. */
export const ROUTE_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...ACCOUNT_INPUTS,
  ...BILLING_INPUTS,
  ...FILE_INPUTS,
  ...CHAT_INPUTS,
  ...API_INPUTS,
  ...ADMIN_INPUTS,
  'POST /api/me/delete': takes(deleteAccountSchema),
  'GET /api/credits/entries': asks(entriesQuery),
  'GET /api/credits/entries.csv': asks(noQuery),
  'GET /api/credits/spending': asks(noQuery),
  'GET /v1/models': asks(modelsQuery),
};
