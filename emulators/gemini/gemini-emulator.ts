import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Control, createControl } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { answerJson, type Emulator, startHttpServer } from '../http-server.ts';
import { readBody } from '../request-log.ts';
import { Sights } from '../site/sights.ts';
import { createTicker } from '../ticker.ts';
import { answerComputer } from './answer-computer.ts';
import { answerGenerate } from './answer-generate.ts';
import { answerInteraction } from './answer-interaction.ts';
import { geminiError, keyError } from './gemini-error.ts';
import { InvalidArgument, type Json } from './invalid-argument.ts';
import { FileRefused, KeptFiles } from './kept-files.ts';
import { findModel, type GeminiModel, listModels, presentModel } from './models.ts';
import { readCountedText, readQuestion } from './read-question.ts';

const PATH = /^\/(v1|v1beta|v1alpha)\/models(?:\/([^/:]+)(?::([A-Za-z]+))?)?$/;
/** Of the Interactions API. */
const NO_KEY = { error: { message: 'API key not valid.', code: 'authentication' } };
const INTERACTIONS = /^\/v1(beta)?\/interactions$/;

interface Target {
  version: string;
  modelId: string | null;
  method: string | null;
  query: URLSearchParams;
}

function readTarget(url: URL): Target | null {
  const found = PATH.exec(url.pathname);
  if (!found) return null;
  const [, version = '', modelId, method] = found;
  return { version, modelId: modelId ?? null, method: method ?? null, query: url.searchParams };
}

function keyOf(request: IncomingMessage, query: URLSearchParams): string {
  return String(request.headers['x-goog-api-key'] ?? query.get('key') ?? '');
}

function hasGoodKey(request: IncomingMessage, query: URLSearchParams): boolean {
  const key = keyOf(request, query);
  return key !== '' && key !== 'invalid';
}

function notFound(target: Target) {
  const { modelId, version, method } = target;
  const message =
    `models/${modelId} is not found for API version ${version}, or is not supported for ${method}. ` +
    'Call ModelService.ListModels to see the list of available models and their supported methods.';
  return geminiError(404, message);
}

function supports(model: GeminiModel, method: string): boolean {
  const listed = method.replace('streamGenerate', 'generate');
  return model.methods.includes(listed);
}

function answerGet(response: ServerResponse, target: Target) {
  const { modelId, query } = target;
  if (modelId === null) {
    return answerJson(response, 200, listModels(Number(query.get('pageSize') ?? 50), query.get('pageToken')));
  }
  const model = findModel(modelId);
  answerJson(response, model ? 200 : 404, model ? presentModel(model) : notFound(target));
}

/** The tokens of a request, as `countTokens` answers. */
function presentCount(body: Json) {
  const totalTokens = countTokens(readCountedText(body));
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}

/**
 * Starts the stand-in for Google's Gemini API on the loopback interface; port 0 takes a free one. `sights`: what it sees of the
 * demonstration site.
 */
export async function startGeminiEmulator(options: { port: number; sights?: Sights }): Promise<Emulator> {
  const { sights = new Sights() } = options;
  const control: Control = createControl();
  const ticker = createTicker();
  const kept = new KeptFiles();

  async function answerPost(request: IncomingMessage, response: ServerResponse, target: Target) {
    const startedAt = performance.now();
    const record = control.log.open(request, response);
    const body = await readBody(request, record);
    const { modelId, method, query } = target;
    if (!hasGoodKey(request, query)) return answerJson(response, 400, keyError());
    const model = findModel(modelId ?? '');
    if (!model || method === null || !supports(model, method))
      return answerJson(response, 404, notFound(target));
    if (method === 'countTokens') return answerJson(response, 200, presentCount(body));
    const streamed = query.get('alt') === 'sse' ? 'sse' : 'array';
    const call = {
      question: readQuestion(model, body, kept),
      systemInstruction: body.systemInstruction,
      framing: method === 'streamGenerateContent' ? streamed : null,
      startedAt,
      record,
    } as const;
    if (await answerComputer(response, call, body, { control, sights })) return;
    await answerGenerate(response, call, control, ticker);
  }

  async function answerInteractions(request: IncomingMessage, response: ServerResponse, url: URL) {
    const record = control.log.open(request, response);
    const body = await readBody(request, record);
    if (!hasGoodKey(request, url.searchParams)) return answerJson(response, 401, NO_KEY);
    await answerInteraction(response, body, record, { control, sights, ticker, kept });
  }

  async function answerFiles(request: IncomingMessage, response: ServerResponse, url: URL) {
    control.log.open(request, response);
    const isUpload = url.searchParams.has('upload_id');
    if (!isUpload && !hasGoodKey(request, url.searchParams)) return answerJson(response, 400, keyError());
    await kept.answer(request, response, url, keyOf(request, url.searchParams));
  }

  return startHttpServer(options.port, async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/__control/files') return kept.control(request, response);
    if (url.pathname === '/__control' && request.method === 'DELETE') kept.reset();
    if (url.pathname.startsWith('/__control')) return control.handle(request, response, url.pathname);
    const target = readTarget(url);
    try {
      if (kept.serves(url.pathname)) return await answerFiles(request, response, url);
      if (INTERACTIONS.test(url.pathname) && request.method === 'POST')
        return await answerInteractions(request, response, url);
      if (target && request.method === 'POST') return await answerPost(request, response, target);
      if (!target || request.method !== 'GET')
        return answerJson(response, 404, geminiError(404, 'Not Found'));
      if (!hasGoodKey(request, url.searchParams)) return answerJson(response, 400, keyError());
      answerGet(response, target);
    } catch (error) {
      if (error instanceof FileRefused) return answerJson(response, 403, geminiError(403, error.message));
      if (!(error instanceof InvalidArgument || error instanceof SyntaxError)) throw error;
      answerJson(response, 400, geminiError(400, error.message));
    }
  });
}
