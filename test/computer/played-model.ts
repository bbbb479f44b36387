import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Interactions } from '@google/genai';
import { geminiError } from '#emulators/gemini/gemini-error.ts';
import { interactionError } from '#emulators/gemini/interactions-error.ts';
import { interactionsFormat } from '#emulators/gemini/interactions-stream.ts';
import type { Step } from '#emulators/script.ts';

/** A part as a model writes it. */
export type ModelPart = Record<string, unknown>;

export interface AskedModel {
  model: string;
  body: {
    contents: { role: string; parts: Record<string, unknown>[] }[];
    systemInstruction?: { parts: { text: string }[] };
    tools?: Record<string, unknown>[];
  };
}

/** A request at the Interactions API. */
export type AskedInteraction = Interactions.CreateModelInteractionParamsStreaming & {
  input: Interactions.Step[];
};

type Answer =
  | ModelPart[]
  | { finishReason: string }
  | { status: number }
  /** After a time of thinking. */
  | { after: Promise<void>; parts: ModelPart[] }
  | 'never';

/** A model that drives browsers by a script: what it answers to each request, in turn; it says it is done when the script is over. */
export interface PlayedModel {
  url: string;
  asked: AskedModel[];
  /** What was asked at the Interactions API. */
  interactions: AskedInteraction[];
  /** The endpoint that answers; the other one refuses, and both where it is null. */
  servedAt: 'generateContent' | 'interactions' | null;
  /** What it answers next, one for each request. */
  play(...answers: Answer[]): void;
  close(): Promise<void>;
}

/** A call with the signature that its provider wants back. */
export function callOf(name: string, args: object = {}, id = `call-${name}`): ModelPart {
  return { functionCall: { id, name, args }, thoughtSignature: `signature-of-${name}` };
}

/** A click at the upper left. */
export const click = (id = 'click') => callOf('click', { x: 1, y: 1 }, id);

export const DONE = 'Done.';

/** Starts it, speaking Gemini's wire. */
export async function startPlayedModel(): Promise<PlayedModel> {
  let script: Answer[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await readText(request)) || '{}');
      const endpoint = endpointOf(request);
      const isInteraction = endpoint === 'interactions';
      const model = isInteraction ? body.model : (/models\/([^:]+):/.exec(request.url ?? '')?.[1] ?? '');
      if (endpoint === null) {
        response.writeHead(404).end('{}');
        return;
      }
      if (isInteraction) played.interactions.push(body);
      else played.asked.push({ model, body });
      if (played.servedAt !== endpoint) {
        const message = `not served at ${endpoint}`;
        const refusal = isInteraction
          ? interactionError('invalid_request', message)
          : geminiError(400, message);
        response.writeHead(400).end(JSON.stringify(refusal));
        return;
      }
      const next = script.shift() ?? [{ text: DONE }];
      if (next === 'never') return;
      if ('after' in next) await next.after;
      const answer = 'after' in next ? next.parts : next;
      if ('status' in answer) {
        response.writeHead(answer.status).end('{"error":{"message":"no"}}');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(isInteraction ? interactionOf(model, answer) : generatedOf(model, answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const played: PlayedModel = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    interactions: [],
    servedAt: 'generateContent',
    play(...answers) {
      script = answers;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return played;
}

function endpointOf({ url = '' }: IncomingMessage): 'generateContent' | 'interactions' | null {
  if (url.includes(':streamGenerateContent')) return 'generateContent';
  return url === '/v1beta/interactions' ? 'interactions' : null;
}

function generatedOf(modelVersion: string, answer: ModelPart[] | { finishReason: string }): string {
  const candidate =
    'finishReason' in answer
      ? { finishReason: answer.finishReason }
      : { content: { role: 'model', parts: answer }, finishReason: 'STOP' };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 };
  return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion })}\r\n\r\n`;
}

function interactionOf(model: string, answer: ModelPart[] | { finishReason: string }): string {
  const format = interactionsFormat({ modelVersion: model, model, promptTokens: 10, responseId: '' });
  const isRefused = 'finishReason' in answer;
  const steps: Step[] = [
    ...(isRefused ? [] : answer.map(stepOf)),
    { kind: 'finish', finish: { reason: isRefused ? 'malformed' : 'stop' } },
  ];
  return steps.map((step) => format.encode(step)).join('') + format.ending;
}

function stepOf({ text, functionCall }: ModelPart): Step {
  if (functionCall === undefined) return { kind: 'text', text: String(text), tokens: 2 };
  const { id, name, args } = functionCall as { id: string; name: string; args: object };
  return { kind: 'call', id, name, args: JSON.stringify(args), tokens: 2 };
}
