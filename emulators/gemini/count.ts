import { countTokens } from '../count-tokens.ts';
import type { Json } from './invalid-argument.ts';
import { readCountedText } from './read-question.ts';

/** The tokens of a request. */
export function count(body: Json) {
  const totalTokens = countTokens(readCountedText(body));
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
