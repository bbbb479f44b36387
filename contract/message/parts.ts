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

/** A picture that is a file of the conversation. */
const imagePartSchema = z.object({ kind: z.literal('image'), fileId: z.uuid() });

/** What the model let be seen of its thinking. */
const reasoningPartSchema = z.object({ kind: z.literal('reasoning'), text: z.string() });

/**
 * Web pages that an answer rests on. Each of `supports` says which of them, by their places in `sources`, stand behind the
 * characters [start, end) of `response`, in UTF-16 code units. `queries`: what was searched for.
 */
const sourcesPartSchema = z.object({
  kind: z.literal('sources'),
  sources: z.array(z.object({ url: z.string(), title: z.string() })),
  supports: z.array(z.object({ start: z.int(), end: z.int(), sources: z.array(z.int()) })),
  queries: z.array(z.string()),
  /** The search provider's own suggestions, as HTML of theirs: shown unchanged and in a sandbox, or not at all. */
  suggestions: z.string().optional(),
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
]);
export type AnswerPart = z.infer<typeof answerPartSchema>;
