import { z } from 'zod';
import { tierSchema } from './catalogue.ts';
import { finishReasonSchema } from './chat.ts';
import { quoteSchema } from './message/quotes.ts';

/** OpenAI's wire (platform.openai.com/docs/api-reference/chat), as far as this product speaks it. */

const contentPartSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  /** A `data:` URL, or a public `https:` address. */
  image_url: z
    .looseObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high', 'original']).nullish() })
    .optional(),
  /** `file_data` is a `data:` URL. What the file is, is found in its bytes. */
  file: z
    .looseObject({ file_data: z.string().nullish(), filename: z.string().max(1_000).nullish() })
    .optional(),
});
export type ContentPart = z.infer<typeof contentPartSchema>;

const contentSchema = z.union([z.string(), z.array(contentPartSchema).min(1).max(1_000)]);

export const inputMessageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.unknown()).max(0).nullish(),
  function_call: z.null().optional(),
  audio: z.null().optional(),
});
export type InputMessage = z.infer<typeof inputMessageSchema>;

/** Only values that ask for nothing beyond text: anything more is refused rather than left out in silence. */
const withoutEffect = {
  n: z.literal(1).nullish(),
  tools: z.array(z.unknown()).max(0).nullish(),
  tool_choice: z.enum(['none', 'auto']).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  functions: z.array(z.unknown()).max(0).nullish(),
  function_call: z.enum(['none', 'auto']).nullish(),
  response_format: z.strictObject({ type: z.literal('text') }).nullish(),
  modalities: z.array(z.literal('text')).nullish(),
  logprobs: z.literal(false).nullish(),
  top_logprobs: z.literal(0).nullish(),
  logit_bias: z.strictObject({}).nullish(),
  presence_penalty: z.literal(0).nullish(),
  frequency_penalty: z.literal(0).nullish(),
  service_tier: z.enum(['auto', 'default']).nullish(),
  store: z.literal(false).nullish(),
};

/** Notes of the caller for its own books; read by no one here. */
const notes = {
  user: z.string().max(500).nullish(),
  safety_identifier: z.string().max(500).nullish(),
  prompt_cache_key: z.string().max(500).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
};

export const completionRequestSchema = z.strictObject({
  model: z.string().min(1).max(100),
  messages: z.array(inputMessageSchema).min(1).max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish(),
  seed: z.int().min(-2_147_483_648).max(2_147_483_647).nullish(),
  ...withoutEffect,
  ...notes,
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;

/** Parameters that are taken only with a value that changes nothing. */
export const PARAMETERS_WITHOUT_EFFECT: readonly string[] = Object.keys(withoutEffect);

export const usageSchema = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  /** Ours: what the request cost, in Credits. */
  credits_charged: z.int(),
});
export type CompletionUsage = z.infer<typeof usageSchema>;

export const completionSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
        /** What the model let be seen of its thinking. It is not kept: a repeat may come without. */
        reasoning_content: z.string().optional(),
      }),
      logprobs: z.null(),
      finish_reason: finishReasonSchema,
    }),
  ),
  usage: usageSchema,
});
export type Completion = z.infer<typeof completionSchema>;

/** One `data:` line of a stream; after the last comes `data: [DONE]`. */
export const completionChunkSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  /** Empty in the chunk that brings the usage. */
  choices: z.array(
    z.object({
      index: z.literal(0),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        reasoning_content: z.string().optional(),
      }),
      finish_reason: finishReasonSchema.nullable(),
    }),
  ),
  usage: usageSchema.nullish(),
});

/** `POST /v1/quotes`: takes the body of a completion, and answers what it would cost at most, in Credits. Ours. */
export const completionQuoteSchema = quoteSchema.extend({ object: z.literal('quote'), model: z.string() });
export type CompletionQuote = z.infer<typeof completionQuoteSchema>;

export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  /** Ours, from here on. */
  name: z.string(),
  credits_per_request: z.int(),
  /** True when the owner of this key may use it now. */
  allowed: z.boolean(),
  plans: z.array(tierSchema),
  context_tokens: z.int(),
  max_output_tokens: z.int(),
  /** What it can be given to read. */
  input_modalities: z.array(z.enum(['text', 'image', 'file'])),
  /** Of `temperature`, `top_p`, `stop`, `seed`: those that this model heeds. */
  supported_parameters: z.array(z.string()),
});
export type ApiModel = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

export const apiErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    /** The parameter that is wrong. */
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type ApiErrorBody = z.infer<typeof apiErrorSchema>;
