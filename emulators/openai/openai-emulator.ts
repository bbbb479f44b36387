import type { IncomingMessage, ServerResponse } from 'node:http';
import { createControl } from '../control.ts';
import { answerJson, type Emulator, startHttpServer } from '../http-server.ts';
import { readBody } from '../request-log.ts';
import { createTicker } from '../ticker.ts';
import { answerChat } from './answer-chat.ts';
import { openaiError } from './openai-error.ts';
import { InvalidRequest, readQuestion } from './read-question.ts';

const CREATED = 1_790_000_000;
const MODELS = [
  'emulated-chat',
  'emulated-reasoner',
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

function listModels() {
  const data = MODELS.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'emulator' }));
  return { object: 'list', data };
}

/** Starts the stand-in for an OpenAI-compatible provider, with its base URL at `/v1`; port 0 takes a free one. */
export async function startOpenaiEmulator(options: { port: number }): Promise<Emulator> {
  const control = createControl();
  const ticker = createTicker();

  async function answerPost(request: IncomingMessage, response: ServerResponse) {
    const startedAt = performance.now();
    const record = control.log.open(request, response);
    const body = await readBody(request, record);
    if (!hasGoodKey(request)) return answerJson(response, 401, openaiError(401));
    if (!MODELS.includes(String(body.model)) && body.model !== undefined) {
      const message = `The model \`${String(body.model)}\` does not exist or you do not have access to it.`;
      return answerJson(response, 404, openaiError(404, { message }));
    }
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
    const isPost = request.method === 'POST' && path === '/v1/chat/completions';
    try {
      if (isPost) return await answerPost(request, response);
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
