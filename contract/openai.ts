import { z } from 'zod';
import { tierSchema } from './catalogue.ts';
import { finishReasonSchema } from './chat.ts';
import { pictureRatioSchema, pictureSizeSchema, quoteSchema } from './message/quotes.ts';

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

/** What names a call: of ours, or of whichever provider made it. */
const callIdSchema = z.string().regex(/^[\x21-\x7e]{1,200}$/);

const inputCallSchema = z.looseObject({
  id: callIdSchema,
  type: z.literal('function').nullish(),
  function: z.looseObject({ name: z.string().regex(/^[\w.:-]{1,128}$/), arguments: z.string() }),
});

export const inputMessageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  /** Of the assistant; each has to be answered by a `tool` message before anyone says anything else. */
  tool_calls: z.array(inputCallSchema).max(128).nullish(),
  /** Of a `tool` message: the call that it answers. */
  tool_call_id: callIdSchema.nullish(),
  function_call: z.null().optional(),
  audio: z.null().optional(),
});
export type InputMessage = z.infer<typeof inputMessageSchema>;

/** Names of functions that every provider takes. */
const functionNameSchema = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
const namedFunctionSchema = z.looseObject({ name: functionNameSchema });

const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: functionNameSchema,
    description: z.string().max(20_000).nullish(),
    /** A JSON Schema of an object. */
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: namedFunctionSchema }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({
      mode: z.enum(['auto', 'required']),
      tools: z
        .array(z.looseObject({ type: z.literal('function'), function: namedFunctionSchema }))
        .min(1)
        .max(128),
    }),
  }),
]);

const responseFormatSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string().regex(/^[\w-]{1,64}$/),
      description: z.string().max(20_000).nullish(),
      schema: z.record(z.string(), z.unknown()).nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const webSearchSchema = z.looseObject({
  search_context_size: z.enum(['low', 'medium', 'high']).nullish(),
  user_location: z.record(z.string(), z.unknown()).nullish(),
});

/** Only values that ask for nothing beyond what we do: anything more is refused rather than left out in silence. */
const withoutEffect = {
  n: z.literal(1).nullish(),
  functions: z.array(z.unknown()).max(0).nullish(),
  function_call: z.enum(['none', 'auto']).nullish(),
  verbosity: z.literal('medium').nullish(),
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
  tools: z.array(toolSchema).max(128).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormatSchema.nullish(),
  /** How much to think: the nearest that the model has. */
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  /** Searches the web before it answers. */
  web_search_options: webSearchSchema.nullish(),
  /** Of a model that makes pictures; it makes one whether this says so or not. */
  modalities: z
    .array(z.enum(['text', 'image']))
    .max(2)
    .nullish(),
  image_config: z
    .looseObject({ aspect_ratio: pictureRatioSchema.nullish(), image_size: pictureSizeSchema.nullish() })
    .nullish(),
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

/** How an answer may end on this wire: as any other, or with calls that wait for their results. */
const completionFinishSchema = z.enum([...finishReasonSchema.options, 'tool_calls']);
export type CompletionFinish = z.infer<typeof completionFinishSchema>;

/** A call of one of the caller's functions; `arguments` is JSON text, as the model wrote it. */
const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A page that stands behind the characters [start_index, end_index) of `content`, counted in Unicode code points. */
const annotationSchema = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    start_index: z.int(),
    end_index: z.int(),
    url: z.string(),
    title: z.string(),
  }),
});
export type Annotation = z.infer<typeof annotationSchema>;

/** A picture that was made, as a `data:` URL, in the shape that OpenRouter's clients read. */
const answerImageSchema = z.object({
  type: z.literal('image_url'),
  index: z.int(),
  image_url: z.object({ url: z.string() }),
});
export type AnswerImage = z.infer<typeof answerImageSchema>;

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
        /** Null where the answer is nothing but calls. */
        content: z.string().nullable(),
        refusal: z.null(),
        tool_calls: z.array(toolCallSchema).optional(),
        annotations: z.array(annotationSchema).optional(),
        images: z.array(answerImageSchema).optional(),
        /** What the model let be seen of its thinking. It is not kept: a repeat may come without. */
        reasoning_content: z.string().optional(),
      }),
      logprobs: z.null(),
      finish_reason: completionFinishSchema,
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
        /** Of each call the id and name first, then its arguments piece by piece. */
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              type: z.literal('function').optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional(),
        /** All of them at once, after the text. */
        annotations: z.array(annotationSchema).optional(),
        images: z.array(answerImageSchema).optional(),
      }),
      finish_reason: completionFinishSchema.nullable(),
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
  /** Ours: the same from days that are yet to come, UTC, and `context_tokens` then. */
  later_credits_per_request: z.array(
    z.object({ from: z.iso.date(), credits: z.int(), context_tokens: z.int() }),
  ),
  /** True when the owner of this key may use it now. */
  allowed: z.boolean(),
  /** False while nothing new can be sent to it. */
  available: z.boolean(),
  plans: z.array(tierSchema),
  context_tokens: z.int(),
  max_output_tokens: z.int(),
  /** What it can be given to read. */
  input_modalities: z.array(z.enum(['text', 'image', 'file'])),
  output_modalities: z.array(z.enum(['text', 'image'])),
  /** Those of the parameters that this model heeds. */
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
