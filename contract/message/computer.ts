import { z } from 'zod';
import { MAX_INPUT_TEXT } from '../limits.ts';
import { fileSchema } from './files.ts';

const gridSchema = z.int().min(0).max(999);
const place = { x: gridSchema, y: gridSchema };
const distanceSchema = z.int().min(-2_000).max(2_000);

/** What a user who took over does. Places and distances are in units of a grid of 1000 by 1000 over the picture. */
export const computerInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), ...place }),
  z.strictObject({ kind: z.literal('double_click'), ...place }),
  z.strictObject({ kind: z.literal('move'), ...place }),
  z.strictObject({ kind: z.literal('scroll'), ...place, dx: distanceSchema, dy: distanceSchema }),
  z.strictObject({ kind: z.literal('type'), text: z.string().min(1).max(MAX_INPUT_TEXT) }),
  /** A key by its name in UI Events (`Enter`), with what is held before it: `Control+a`. */
  z.strictObject({ kind: z.literal('key'), key: z.string().min(1).max(40) }),
]);
export type ComputerInput = z.infer<typeof computerInputSchema>;

/** `POST /api/messages/{id}/computer`: answered with a `ComputerState`. */
export const computerActSchema = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('allow'), confirmationId: z.uuid() }),
  z.strictObject({ act: z.literal('deny'), confirmationId: z.uuid() }),
  z.strictObject({ act: z.enum(['pause', 'resume', 'takeover', 'handback']) }),
  z.strictObject({ act: z.literal('input'), input: computerInputSchema }),
]);
export type ComputerAct = z.infer<typeof computerActSchema>;

/** `waiting`: a confirmation is to be answered. */
export const computerStateSchema = z.object({
  state: z.enum(['queued', 'running', 'paused', 'waiting', 'taken_over', 'ended']),
  /** How many runs are before it, itself included, while it is queued: 1 is next. */
  place: z.int().nullable(),
  url: z.string(),
  viewport: z.object({ width: z.int(), height: z.int() }),
  /** When a run that waits for its user ends by itself, in epoch milliseconds. */
  until: z.int().nullable(),
});
export type ComputerState = z.infer<typeof computerStateSchema>;

/** What `GET /api/messages/{id}/screen` sends: the last picture at once, then one whenever it changes; ends with the run. */
export type ScreenEvent =
  | { type: 'frame'; data: { jpeg: string } }
  /** At first and whenever it changes. */
  | { type: 'state'; data: ComputerState };

/**
 * `POST /api/messages/{id}/kept`, answered with a `Kept`, the same one however often it is asked for. What is kept of a browser: the
 * picture of the page of a step, the nth file that a page offered at it, from 1, or the nth table of the answer, as CSV.
 */
export const keepSchema = z.discriminatedUnion('what', [
  z.strictObject({ step: z.int().min(1).max(1_000), what: z.literal('picture') }),
  z.strictObject({
    step: z.int().min(1).max(1_000),
    what: z.literal('file'),
    n: z.int().min(1).max(1_000),
  }),
  z.strictObject({ what: z.literal('table'), n: z.int().min(1).max(1_000) }),
]);
export type KeepRequest = z.infer<typeof keepSchema>;

/** What was kept, and the file of the conversation that it became. */
export const keptSchema = z.object({ key: z.string(), file: fileSchema });
export type Kept = z.infer<typeof keptSchema>;

/** `GET /api/messages/{id}/kept`. */
export const keptListSchema = z.object({ kept: z.array(keptSchema) });
export type KeptList = z.infer<typeof keptListSchema>;
