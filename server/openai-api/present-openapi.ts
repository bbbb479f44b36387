import { z } from 'zod';
import {
  apiErrorSchema,
  completionChunkSchema,
  completionQuoteSchema,
  completionRequestSchema,
  completionSchema,
  modelListSchema,
  modelSchema,
} from '#contract/openai.ts';
import type { Deps } from '#server/deps.ts';

const SCHEMAS = {
  CompletionRequest: completionRequestSchema,
  Completion: completionSchema,
  CompletionChunk: completionChunkSchema,
  Quote: completionQuoteSchema,
  Model: modelSchema,
  ModelList: modelListSchema,
  Error: apiErrorSchema,
};

const refer = (name: keyof typeof SCHEMAS) => ({ schema: { $ref: `#/components/schemas/${name}` } });
const json = (name: keyof typeof SCHEMAS) => ({ 'application/json': refer(name) });
const header = (description: string) => ({ description, schema: { type: 'string' } });

const ERRORS = Object.fromEntries(
  Object.entries({
    400: 'The request is wrong, asks for something unsupported, or was blocked. Nothing was charged.',
    401: 'The key is wrong, revoked or expired.',
    403: 'The plan or the key does not allow it.',
    404: 'There is no such model.',
    409: 'The Idempotency-Key was used for another request.',
    413: 'The body is too large.',
    429: 'Too many requests, or no credits left (`insufficient_quota`, `monthly_cap_reached`).',
    500: 'A fault on our side. Nothing was charged.',
    502: 'The model failed. Nothing was charged.',
    503: 'Not available now. Nothing was charged.',
    504: 'The model took too long. Nothing was charged.',
  }).map(([status, description]) => [status, { description, content: json('Error') }]),
);

const HEADERS = {
  'x-request-id': header('Name it when you write to us.'),
  'x-credits-quoted': header('The most that the request may cost.'),
  'x-credits-charged': header('Credits charged; for a stream, those held for it.'),
  'x-credits-remaining': header('Credits left.'),
  'x-ignored-parameters': header('Parameters that have no effect here.'),
  'x-ratelimit-limit-requests': header('Requests a minute.'),
  'x-ratelimit-remaining-requests': header('Requests left in this minute.'),
  'x-ratelimit-reset-requests': header('When the minute ends, such as `12s`.'),
};

/** The API in OpenAPI 3.1, from the schemas that requests are checked with. */
export function presentOpenapi({ publicUrl, brand }: Deps['config']) {
  return {
    openapi: '3.1.0',
    info: { title: `${brand.name} API`, version: '1' },
    servers: [{ url: `${publicUrl}/v1` }],
    security: [{ key: [] }],
    paths: {
      '/models': {
        get: {
          operationId: 'listModels',
          parameters: [
            {
              name: 'all',
              in: 'query',
              description: '`true`: also the models that the key may not call.',
              schema: { type: 'string', enum: ['true', 'false'] },
            },
          ],
          responses: { 200: response('The models.', 'ModelList'), ...ERRORS },
        },
      },
      '/models/{id}': {
        get: {
          operationId: 'readModel',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: response('The model.', 'Model'), ...ERRORS },
        },
      },
      '/chat/completions': { post: completionOperation() },
      '/quotes': {
        post: {
          operationId: 'createQuote',
          requestBody: { required: true, content: json('CompletionRequest') },
          responses: { 200: response('What it would cost at most. Nothing is charged.', 'Quote'), ...ERRORS },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, schemaOf(schema)])),
    },
  };
}

function completionOperation() {
  const { 'application/json': whole } = json('Completion');
  return {
    operationId: 'createCompletion',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The same key with the same body is one request and one charge, for good.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    requestBody: { required: true, content: json('CompletionRequest') },
    responses: {
      200: {
        description: 'The answer.',
        headers: HEADERS,
        content: { 'application/json': whole, 'text/event-stream': refer('CompletionChunk') },
      },
      ...ERRORS,
    },
  };
}

function response(description: string, name: keyof typeof SCHEMAS) {
  return { description, content: json(name) };
}

function schemaOf(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
