import { z } from 'zod';

/** What was written. */
const textPartSchema = z.object({ kind: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof textPartSchema>;

/** A file of the conversation that the model reads; `type` is its MIME type, found in its bytes. */
const filePartSchema = z.object({
  kind: z.literal('file'),
  fileId: z.uuid(),
  name: z.string(),
  type: z.string(),
});

/**
 * A picture that is a file of the conversation. One that was made for an answer says how large it is, in pixels, and what it shows
 * (`alt`).
 */
const imagePartSchema = z.object({
  kind: z.literal('image'),
  fileId: z.uuid(),
  width: z.int().optional(),
  height: z.int().optional(),
  alt: z.string().optional(),
});
export type ImagePart = z.infer<typeof imagePartSchema>;

/** What the model let be seen of its thinking; `ms`: how long it thought, once that is over. */
const reasoningPartSchema = z.object({
  kind: z.literal('reasoning'),
  text: z.string(),
  ms: z.int().min(0).optional(),
});

/** An address of the question, and whether the provider could read what is there; `refused`: it may not, such as an unsafe page. */
const readPageSchema = z.object({
  url: z.string(),
  status: z.enum(['read', 'paywalled', 'refused', 'failed']),
});
export type ReadPage = z.infer<typeof readPageSchema>;

/**
 * Web pages that an answer rests on. Each of `supports` says which of them, by their places in `sources`, stand behind the
 * characters [start, end) of `response`, in UTF-16 code units. `queries`: what was searched for. `pages`: the addresses of the
 * question that were opened.
 */
const sourcesPartSchema = z.object({
  kind: z.literal('sources'),
  sources: z.array(z.object({ url: z.string(), title: z.string() })),
  supports: z.array(z.object({ start: z.int(), end: z.int(), sources: z.array(z.int()) })),
  queries: z.array(z.string()),
  /** The search provider's own suggestions, as HTML of theirs: shown unchanged and in a sandbox, or not at all. */
  suggestions: z.string().optional(),
  pages: z.array(readPageSchema).optional(),
});
export type SourcesPart = z.infer<typeof sourcesPartSchema>;

/** Code that the provider ran for the answer, and what came of it. */
const codePartSchema = z.object({ kind: z.literal('code'), language: z.string(), code: z.string() });
export type CodePart = z.infer<typeof codePartSchema>;
const outputPartSchema = z.object({
  kind: z.literal('output'),
  outcome: z.enum(['ok', 'failed', 'timed_out']),
  text: z.string(),
});
export type OutputPart = z.infer<typeof outputPartSchema>;

/** A call of a function; `args` is JSON text. */
const callPartSchema = z.object({
  kind: z.literal('call'),
  id: z.string(),
  name: z.string(),
  args: z.string(),
});
export type CallPart = z.infer<typeof callPartSchema>;

/** What a call came to. */
const resultPartSchema = z.object({
  kind: z.literal('result'),
  id: z.string(),
  name: z.string(),
  output: z.string(),
});
export type ResultPart = z.infer<typeof resultPartSchema>;

/** A file that a page offered and the browser did not take; `bytes`: its length as the page says it, null where it does not. */
export const offeredFileSchema = z.object({
  name: z.string().max(300),
  bytes: z.int().nullable(),
  site: z.string().max(253),
  url: z.string().max(2_000),
});
export type OfferedFile = z.infer<typeof offeredFileSchema>;

/** What went wrong with an action that was tried: the page could not be opened, hung or crashed, or the browser could not do it. */
export const stepErrorSchema = z.enum(['unreachable', 'page_unresponsive', 'page_crashed', 'failed']);

/**
 * One action of a model in a browser that was taken; what was refused is no step. `intent`: what for, in the model's words; `args`:
 * JSON text, with what was typed into a sensitive field left out; `url`: the page afterwards; `fileId`: its picture, null where that
 * could not be kept.
 */
const stepPartSchema = z.object({
  kind: z.literal('step'),
  /** Its number in the run, from 1. */
  n: z.int(),
  intent: z.string(),
  /** The name by which the model called it, such as `click`. */
  action: z.string(),
  args: z.string(),
  url: z.string(),
  fileId: z.uuid().nullable(),
  files: z.array(offeredFileSchema).optional(),
  error: stepErrorSchema.optional(),
  /** When it began, in epoch milliseconds, and how long it took. */
  at: z.int(),
  ms: z.int(),
});
export type StepPart = z.infer<typeof stepPartSchema>;

/**
 * What a user must allow while a model drives a browser, and where in `server/computer/` that is enforced:
 * - `new_site`, `cross_site_form`: the tab goes to a site, or a form sends data to one (`host/site-rules.ts`, `host/request-gate.ts`).
 * - `sensitive_field`: the model types into a field for a password, a card or a code (`host/tab.ts`).
 * - `provider`: the provider of the model wants an action confirmed (`driving/drive.ts`).
 * - `more_steps`: the price of the message covers no further step (`driving/drive.ts`).
 */
export const confirmationReasonSchema = z.enum([
  'new_site',
  'sensitive_field',
  'cross_site_form',
  'provider',
  'more_steps',
]);
export type ConfirmationReason = z.infer<typeof confirmationReasonSchema>;

/** `expired`: not answered in time. `ended`: the run was over before it was answered. */
export const confirmationStateSchema = z.enum(['waiting', 'allowed', 'denied', 'expired', 'ended']);
export type ConfirmationState = z.infer<typeof confirmationStateSchema>;

/**
 * What a model in a browser asked its user. It comes again with the same id when its state changes: the later one counts. `params`:
 * `site` and `page` of what a page wants, `text` of what the provider asks, `steps` and `credits` of more steps.
 */
const confirmationPartSchema = z.object({
  kind: z.literal('confirmation'),
  id: z.uuid(),
  reason: confirmationReasonSchema,
  state: confirmationStateSchema,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Until when it can be answered, in epoch milliseconds. */
  expiresAt: z.int(),
});
export type ConfirmationPart = z.infer<typeof confirmationPartSchema>;

/**
 * A table of the page that was open when a model in a browser came to its answer. All of it is what the page said: text, never HTML and
 * never a formula.
 */
const tablePartSchema = z.object({
  kind: z.literal('table'),
  /** Its number in the answer, from 1. */
  n: z.int(),
  /** Its caption, the heading before it, or else the title of its page; empty where there is none. */
  title: z.string(),
  url: z.string(),
  /** The first row names the columns. */
  hasHead: z.boolean(),
  /** The page has more of it. */
  isCut: z.boolean(),
  /** All of one length. */
  rows: z.array(z.array(z.string())),
});
export type TablePart = z.infer<typeof tablePartSchema>;

/** One part of a prompt, in its order. */
export const inputPartSchema = z.discriminatedUnion('kind', [
  textPartSchema,
  filePartSchema,
  imagePartSchema,
]);
export type InputPart = z.infer<typeof inputPartSchema>;

/** One part of an answer, in its order. */
export const answerPartSchema = z.discriminatedUnion('kind', [
  textPartSchema,
  reasoningPartSchema,
  sourcesPartSchema,
  codePartSchema,
  outputPartSchema,
  callPartSchema,
  resultPartSchema,
  imagePartSchema,
  stepPartSchema,
  confirmationPartSchema,
  tablePartSchema,
]);
export type AnswerPart = z.infer<typeof answerPartSchema>;
