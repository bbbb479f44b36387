import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Control, createControl } from '../control.ts';
import { countTokens } from '../count-tokens.ts';
import { embedText } from '../embed-text.ts';
import { withoutLongData } from '../files/seen-file.ts';
import { answerJson, type Emulator, readJson, startHttpServer } from '../http-server.ts';
import { createTicker } from '../ticker.ts';
import { answerGenerate } from './answer-generate.ts';
import { geminiError, keyError } from './gemini-error.ts';
import { FileRefused, KeptFiles } from './kept-files.ts';
import { findModel, type GeminiModel, listModels, presentModel } from './models.ts';
import { InvalidArgument, readCountedText, readQuestion, readText } from './read-question.ts';

const PATH = /^\/(v1|v1beta|v1alpha)\/models(?:\/([^/:]+)(?::([A-Za-z]+))?)?$/;
const VECTOR_LENGTH = 3_072;
const BIGGEST_BATCH = 100;

type Json = Record<string, unknown>;

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

function embed(request: Json) {
  const dimensions = Number(request.outputDimensionality ?? VECTOR_LENGTH);
  return { values: embedText(readText(request.content), dimensions) };
}

function embedBatch(body: Json) {
  const requests = Array.isArray(body.requests) ? (body.requests as Json[]) : [];
  if (requests.length === 0 || requests.length > BIGGEST_BATCH) {
    throw new InvalidArgument(
      '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n',
    );
  }
  return { embeddings: requests.map(embed) };
}

function count(body: Json) {
  const totalTokens = countTokens(readCountedText(body));
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}

function supports(model: GeminiModel, method: string): boolean {
  const listed = method.replace('streamGenerate', 'generate').replace('batchEmbedContents', 'embedContent');
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

/** Starts the stand-in for Google's Gemini API on the loopback interface; port 0 takes a free one. */
export async function startGeminiEmulator(options: { port: number }): Promise<Emulator> {
  const control: Control = createControl();
  const ticker = createTicker();
  const kept = new KeptFiles();

  async function answerPost(request: IncomingMessage, response: ServerResponse, target: Target) {
    const startedAt = performance.now();
    const record = control.log.open(request, response);
    const body = await readJson(request);
    record.body = withoutLongData(body);
    const { modelId, method, query } = target;
    if (!hasGoodKey(request, query)) return answerJson(response, 400, keyError());
    const model = findModel(modelId ?? '');
    if (!model || method === null || !supports(model, method))
      return answerJson(response, 404, notFound(target));
    if (method === 'countTokens') return answerJson(response, 200, count(body));
    if (method === 'embedContent') return answerJson(response, 200, { embedding: embed(body) });
    if (method === 'batchEmbedContents') return answerJson(response, 200, embedBatch(body));
    const streamed = query.get('alt') === 'sse' ? 'sse' : 'array';
    const call = {
      question: readQuestion(model.id, body, kept),
      systemInstruction: body.systemInstruction,
      framing: method === 'streamGenerateContent' ? streamed : null,
      startedAt,
      record,
    } as const;
    await answerGenerate(response, call, control, ticker);
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
