import { cleanText } from '#server/platform/clean-text.ts';
import type { AnswerReader, FinishKind } from '../transport/answer-reader.ts';
import { readTokenCount } from '../transport/answer-reader.ts';
import { asObject } from '../transport/provider-refusal.ts';
import { sliceList } from '../transport/slice-json.ts';
import { type GeminiPart, isTextOnly, pictureIn, readGeminiPart } from './gemini-parts.ts';
import { BLOCKED, readGeminiError } from './gemini-refusal.ts';
import { parseChunk } from './parse-chunk.ts';

/** The parts of a `GenerateContentResponse` that we read. Nothing of it is sure: it comes from outside. */
interface GeminiChunk {
  candidates?: {
    content?: { parts?: (GeminiPart | null)[] };
    finishReason?: unknown;
    continuationToken?: unknown;
    groundingMetadata?: unknown;
    urlContextMetadata?: unknown;
  }[];
  promptFeedback?: { blockReason?: unknown };
  usageMetadata?: Record<string, unknown>;
  modelVersion?: unknown;
  error?: unknown;
}

const FINISH_KINDS = new Map<string, FinishKind>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'continued'],
  ...BLOCKED.map((word) => [word, 'blocked'] as const),
]);

function readUsage(metadata: Record<string, unknown>, answer: AnswerReader) {
  const prompt = readTokenCount(metadata.promptTokenCount);
  const tools = readTokenCount(metadata.toolUsePromptTokenCount ?? 0);
  const text = readTokenCount(metadata.candidatesTokenCount ?? 0);
  const thoughts = readTokenCount(metadata.thoughtsTokenCount ?? 0);
  const cached = readTokenCount(metadata.cachedContentTokenCount ?? 0);
  if (prompt === null || tools === null || text === null || thoughts === null || cached === null) return;
  answer.setUsage({
    inputTokens: prompt + tools,
    outputTokens: text + thoughts,
    reasoningTokens: thoughts,
    cachedInputTokens: cached,
  });
  answer.pictureTokens = pictureTokensIn(metadata.candidatesTokensDetails) ?? answer.pictureTokens;
}

function pictureTokensIn(details: unknown): number | null {
  const list = Array.isArray(details) ? details.map(asObject) : [];
  return readTokenCount(list.find(({ modality }) => modality === 'IMAGE')?.tokenCount);
}

/** The parts and metadata that an event brings besides what it adds to the answer. */
export interface GeminiNews {
  continuationToken?: string;
  /** The parts that it added to the answer, unchanged. */
  parts?: (GeminiPart | null)[];
  /** `groundingMetadata`, unchanged. */
  grounding?: object;
  /** `urlContextMetadata`, unchanged. */
  addresses?: object;
}

function readParts(parts: (GeminiPart | null)[], data: string, answer: AnswerReader) {
  const isPlain = parts.every((part) => part !== null && isTextOnly(part) && isStorable(part.text));
  const written = isPlain ? [] : sliceList(data, ['candidates', 0, 'content', 'parts']);
  for (const [index, part] of parts.entries()) {
    if (part === null || (part.functionCall !== undefined && !answer.takesCall)) continue;
    const { text, thought } = part;
    const picture = pictureIn(part);
    if (picture !== null) {
      // A draft, made while it thinks, is neither shown nor wanted back.
      if (thought !== true) answer.addPicture(picture, written[index] ?? null);
      continue;
    }
    if (typeof text === 'string' && isTextOnly(part)) {
      if (thought === true) answer.kept.add(JSON.stringify(part), false);
      else if (isStorable(text)) answer.kept.addText(text.length);
      else answer.kept.add(written[index] ?? JSON.stringify(part), false);
    } else answer.kept.add(written[index] ?? JSON.stringify(part), true);
    if (typeof text !== 'string') readGeminiPart(part, answer);
    else if (thought === true) answer.addReasoning(text);
    else answer.addText(text);
  }
}

/** Whether the stored answer says the text as it came. */
function isStorable(text: unknown): boolean {
  return typeof text === 'string' && cleanText(text) === text;
}

/** Reads one event into the answer. */
export function readGeminiEvent(data: string, answer: AnswerReader): GeminiNews {
  const chunk: GeminiChunk = parseChunk(data);
  if (chunk.error !== undefined) throw readGeminiError(chunk.error, null);
  if (typeof chunk.modelVersion === 'string') answer.modelVersion = chunk.modelVersion;
  if (chunk.usageMetadata) readUsage(chunk.usageMetadata, answer);
  const candidate = Array.isArray(chunk.candidates) ? chunk.candidates[0] : undefined;
  const parts = candidate?.content?.parts;
  const news: GeminiNews = {};
  if (Array.isArray(parts)) {
    readParts(parts, data, answer);
    news.parts = parts;
  }
  const grounding = candidate?.groundingMetadata;
  if (typeof grounding === 'object' && grounding !== null) news.grounding = grounding;
  const addresses = candidate?.urlContextMetadata;
  if (typeof addresses === 'object' && addresses !== null) news.addresses = addresses;
  const blocked = chunk.promptFeedback?.blockReason;
  if (typeof blocked === 'string') answer.setFinish('blocked', blocked);
  const finish = candidate?.finishReason;
  if (typeof finish !== 'string') return news;
  answer.setFinish(FINISH_KINDS.get(finish) ?? 'other', finish);
  const token = candidate?.continuationToken;
  return typeof token === 'string' ? { ...news, continuationToken: token } : news;
}
