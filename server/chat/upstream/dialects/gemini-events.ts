import { cleanText } from '#server/platform/clean-text.ts';
import type { AnswerReader, FinishKind } from '../transport/answer-reader.ts';
import { readTokenCount } from '../transport/answer-reader.ts';
import { sliceList } from '../transport/slice-json.ts';
import { type GeminiPart, isTextOnly, readGeminiPart } from './gemini-parts.ts';
import { readGeminiError } from './gemini-refusal.ts';
import { parseChunk } from './parse-chunk.ts';

/** The parts of a `GenerateContentResponse` that we read. Nothing of it is sure: it comes from outside. */
interface GeminiChunk {
  candidates?: {
    content?: { parts?: (GeminiPart | null)[] };
    finishReason?: unknown;
    continuationToken?: unknown;
    groundingMetadata?: unknown;
  }[];
  promptFeedback?: { blockReason?: unknown };
  usageMetadata?: Record<string, unknown>;
  modelVersion?: unknown;
  error?: unknown;
}

const FINISH_KINDS: Record<string, FinishKind> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'continued',
  SAFETY: 'blocked',
  PROHIBITED_CONTENT: 'blocked',
  BLOCKLIST: 'blocked',
  SPII: 'blocked',
  RECITATION: 'blocked',
  LANGUAGE: 'blocked',
  IMAGE_SAFETY: 'blocked',
  IMAGE_PROHIBITED_CONTENT: 'blocked',
  IMAGE_RECITATION: 'blocked',
};

function readUsage(metadata: Record<string, unknown>, answer: AnswerReader) {
  const prompt = readTokenCount(metadata.promptTokenCount ?? 0);
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
}

/** What an event brings besides what it adds to the answer. */
export interface GeminiNews {
  continuationToken?: string;
  /** `groundingMetadata` as it came. */
  grounding?: object;
}

function readParts(parts: (GeminiPart | null)[], data: string, answer: AnswerReader) {
  const isPlain = parts.every((part) => part !== null && isTextOnly(part));
  const written = isPlain ? [] : sliceList(data, ['candidates', 0, 'content', 'parts']);
  for (const [index, part] of parts.entries()) {
    if (part === null) continue;
    const { text, thought } = part;
    if (typeof text === 'string' && isTextOnly(part)) {
      if (thought !== true) answer.kept.addText(text.length);
      else answer.kept.add(JSON.stringify(part), false);
    } else answer.kept.add(written[index] ?? JSON.stringify(part), true);
    if (typeof text !== 'string') readGeminiPart(part, answer);
    else if (thought === true) answer.addReasoning(text);
    else answer.addText(text);
  }
}

/** Reads one event into the answer. */
export function readGeminiEvent(data: string, answer: AnswerReader): GeminiNews {
  const chunk: GeminiChunk = parseChunk(data);
  if (chunk.error !== undefined) throw readGeminiError(chunk.error, null);
  if (typeof chunk.modelVersion === 'string') answer.modelVersion = cleanText(chunk.modelVersion);
  if (chunk.usageMetadata) readUsage(chunk.usageMetadata, answer);
  const candidate = Array.isArray(chunk.candidates) ? chunk.candidates[0] : undefined;
  const parts = candidate?.content?.parts;
  if (Array.isArray(parts)) readParts(parts, data, answer);
  const news: GeminiNews = {};
  const grounding = candidate?.groundingMetadata;
  if (typeof grounding === 'object' && grounding !== null) news.grounding = grounding;
  const blocked = chunk.promptFeedback?.blockReason;
  if (typeof blocked === 'string') answer.setFinish('blocked', blocked);
  const finish = candidate?.finishReason;
  if (typeof finish !== 'string') return news;
  answer.setFinish(FINISH_KINDS[finish] ?? 'other', finish);
  const token = candidate?.continuationToken;
  return typeof token === 'string' ? { ...news, continuationToken: token } : news;
}
