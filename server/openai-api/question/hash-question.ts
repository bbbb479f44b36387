import { createHash } from 'node:crypto';
import { hasMore, identifyPart, joinTexts } from './parse-content.ts';
import type { Completion } from './receive-completion.ts';

/** What an idempotency key stands for, for good: names and order stay, and a new field is left out where it is not used. */
export function hashQuestion(model: string, question: Completion['question']): Buffer {
  const { system, temperature, topP, stop, seed, maxOutputTokens, tools, format } = question;
  const turns = question.turns.map(({ role, parts }) => ({
    role,
    text: joinTexts(parts),
    parts: hasMore(parts) ? parts.map(identifyPart) : undefined,
  }));
  const isSearching = question.isSearching || undefined;
  const effort = question.effort ?? undefined;
  const { picture } = question;
  const sampling = { temperature, topP, stop, seed, maxOutputTokens };
  const asked = { model, system, turns, ...sampling, tools, format, effort, picture, isSearching };
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}
