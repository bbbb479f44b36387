import type { GenerateRequest } from './transport/upstream.ts';
import { UpstreamError } from './transport/upstream-error.ts';

/** Refuses, before anything is sent, turns that no provider takes. Throws `invalid_content` or `invalid_history`. */
export function checkTurns({ turns }: GenerateRequest) {
  if (turns.length === 0) throw new UpstreamError('invalid_content', 'the request has no turns');
  if (turns[0]?.role !== 'user')
    throw new UpstreamError('invalid_history', 'the first turn is not the user’s');
  if (turns.some((turn) => turn.role !== 'user' && turn.role !== 'model')) {
    throw new UpstreamError('invalid_history', 'a turn is neither the user’s nor the model’s');
  }
  if (turns.some(({ parts }) => parts.every((part) => part.kind === 'text' && part.text.trim() === '')))
    throw new UpstreamError('invalid_content', 'a turn is empty');
}

/** The same for a question: it ends with the user's turn. */
export function checkQuestion(request: GenerateRequest) {
  checkTurns(request);
  if (request.turns.at(-1)?.role === 'user') return;
  throw new UpstreamError('invalid_history', 'the last turn is not the user’s');
}
