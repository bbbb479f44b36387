import type { OutputPart } from '#contract/message/parts.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import type { AnswerReader } from '../transport/answer-reader.ts';
import { asObject } from '../transport/provider-refusal.ts';
import { UpstreamError } from '../transport/upstream-error.ts';

/** A `Part` of Gemini's (ai.google.dev/api/caching#Part). Nothing of it is sure: it comes from outside. */
export interface GeminiPart {
  text?: unknown;
  thought?: unknown;
  thoughtSignature?: unknown;
  functionCall?: unknown;
  executableCode?: unknown;
  codeExecutionResult?: unknown;
  inlineData?: unknown;
}

const OUTCOMES = new Map<string, OutputPart['outcome']>([
  ['OUTCOME_OK', 'ok'],
  ['OUTCOME_DEADLINE_EXCEEDED', 'timed_out'],
]);

/** Whether a part is text or thinking and nothing else: what an answer's text says already. */
export function isTextOnly(part: GeminiPart): boolean {
  if (typeof part.text !== 'string') return false;
  for (const name in part) if (name !== 'text' && name !== 'thought') return false;
  return true;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? cleanText(value) : '';
}

/** Writes a part as JSON. Throws `UpstreamError` (`parse`) where it is nested deeper than the engine can write. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new UpstreamError('parse', 'a part of the answer is nested too deep');
  }
}

/** Reads a part without text into the answer. A kind that we do not know is stored for the model, and shown to no one. */
export function readGeminiPart(part: GeminiPart, answer: AnswerReader) {
  const call = asObject(part.functionCall);
  if (typeof call.name === 'string') {
    const signature = typeof part.thoughtSignature === 'string' ? part.thoughtSignature : null;
    const args = cleanText(writeJson(call.args ?? {}));
    answer.addPart({ kind: 'call', id: textIn(call.id), name: cleanText(call.name), args, signature });
  }
  const code = asObject(part.executableCode);
  if (typeof code.code === 'string') {
    answer.addPart({
      kind: 'code',
      language: textIn(code.language).toLowerCase(),
      code: cleanText(code.code),
    });
  }
  const result = asObject(part.codeExecutionResult);
  if (typeof result.outcome === 'string') {
    const outcome = OUTCOMES.get(result.outcome) ?? 'failed';
    answer.addPart({ kind: 'output', outcome, text: textIn(result.output) });
  }
}

/** The Base64 of a picture; null of any other part. */
export function pictureIn(part: GeminiPart): string | null {
  const { data, mimeType } = asObject(part.inlineData);
  return typeof data === 'string' && String(mimeType).startsWith('image/') ? data : null;
}
