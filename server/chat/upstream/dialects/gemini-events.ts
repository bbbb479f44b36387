import type { AnswerReader, FinishKind } from '../transport/answer-reader.ts';
import { readTokenCount } from '../transport/answer-reader.ts';
import { readGeminiError } from './gemini-refusal.ts';
import { parseChunk } from './parse-chunk.ts';

/** The parts of a `GenerateContentResponse` that we read. Nothing of it is sure: it comes from outside. */
interface GeminiChunk {
  candidates?: {
    content?: { parts?: ({ text?: unknown; thought?: unknown } | null)[] };
    finishReason?: unknown;
    continuationToken?: unknown;
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

/** Reads one event into the answer. Returns the continuation token when it brings one. */
export function readGeminiEvent(data: string, answer: AnswerReader): string | null {
  const chunk: GeminiChunk = parseChunk(data);
  if (chunk.error !== undefined) throw readGeminiError(chunk.error, null);
  if (typeof chunk.modelVersion === 'string') answer.modelVersion = chunk.modelVersion;
  if (chunk.usageMetadata) readUsage(chunk.usageMetadata, answer);
  const candidate = Array.isArray(chunk.candidates) ? chunk.candidates[0] : undefined;
  const parts = candidate?.content?.parts;
  for (const part of Array.isArray(parts) ? parts : []) {
    if (typeof part?.text !== 'string') continue;
    if (part.thought === true) answer.addReasoning(part.text);
    else answer.addText(part.text);
  }
  const blocked = chunk.promptFeedback?.blockReason;
  if (typeof blocked === 'string') answer.setFinish('blocked', blocked);
  const finish = candidate?.finishReason;
  if (typeof finish !== 'string') return null;
  answer.setFinish(FINISH_KINDS[finish] ?? 'other', finish);
  return typeof candidate?.continuationToken === 'string' ? candidate.continuationToken : null;
}
