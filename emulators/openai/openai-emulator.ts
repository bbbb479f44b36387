import type { IncomingMessage, ServerResponse } from 'node:http';
import { createControl } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { embedText } from '../embed-text.ts';
import { answerJson, type Emulator, startHttpServer } from '../http-server.ts';
import { readBody } from '../request-log.ts';
import { createTicker } from '../ticker.ts';
import { answerChat } from './answer-chat.ts';
import { openaiError } from './openai-error.ts';
import { InvalidRequest, readQuestion } from './read-question.ts';

const VECTOR_LENGTH = 1_536;
const CREATED = 1_790_000_000;
const MODELS = [
  'emulated-chat',
  'emulated-reasoner',
  'emulated-embedding',
  'deepseek-chat',
  'deepseek-reasoner',
  'qwen-plus',
  'llama3.3',
];

type Json = Record<string, unknown>;

function hasGoodKey(request: IncomingMessage): boolean {
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return key !== '' && key !== 'invalid';
}

function presentVector(values: number[], format: unknown) {
  return format === 'base64' ? Buffer.from(new Float32Array(values).buffer).toString('base64') : values;
}

function embed(body: Json) {
  const texts = (Array.isArray(body.input) ? body.input : [body.input]).map(String);
  const dimensions = Number(body.dimensions ?? VECTOR_LENGTH);
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: presentVector(embedText(text, dimensions), body.encoding_format),
  }));
  return { object: 'list', data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function listModels() {
  const data = MODELS.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'emulator' }));
  return { object: 'list', data };
}

/** Starts the stand-in for an OpenAI-compatible provider, with its base URL at `/v1`; port 0 takes a free one. */
export async function startOpenaiEmulator(options: { port: number }): Promise<Emulator> {
  const control = createControl();
  const ticker = createTicker();

  async function answerPost(request: IncomingMessage, response: ServerResponse, path: string) {
    const startedAt = performance.now();
    const record = control.log.open(request, response);
    const body = await readBody(request, record);
    if (!hasGoodKey(request)) return answerJson(response, 401, openaiError(401));
    if (!MODELS.includes(String(body.model)) && body.model !== undefined) {
      const message = `The model \`${String(body.model)}\` does not exist or you do not have access to it.`;
      return answerJson(response, 404, openaiError(404, { message }));
    }
    if (path === '/v1/embeddings') return answerJson(response, 200, embed(body));
    const options = (body.stream_options ?? {}) as Json;
    const call = {
      question: readQuestion(body),
      streamed: body.stream === true,
      includesUsage: options.include_usage === true,
      startedAt,
      record,
    };
    await answerChat(response, call, control, ticker);
  }

  return startHttpServer(options.port, async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/__control')) return control.handle(request, response, path);
    const isPost =
      request.method === 'POST' && (path === '/v1/chat/completions' || path === '/v1/embeddings');
    try {
      if (isPost) return await answerPost(request, response, path);
      if (path !== '/v1/models')
        return answerJson(response, 404, openaiError(404, { message: 'Unknown path.' }));
      if (!hasGoodKey(request)) return answerJson(response, 401, openaiError(401));
      answerJson(response, 200, listModels());
    } catch (error) {
      if (error instanceof InvalidRequest) {
        answerJson(response, 400, openaiError(400, { message: error.message, param: error.param }));
      } else if (error instanceof SyntaxError) {
        answerJson(
          response,
          400,
          openaiError(400, { message: 'We could not parse the JSON body of your request.' }),
        );
      } else throw error;
    }
  });
}
