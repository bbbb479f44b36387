import { countTokens } from '../count-tokens.ts';
import { embedText } from '../embed-text.ts';
import { InvalidArgument, type Json } from './invalid-argument.ts';
import { readCountedText, readText } from './read-question.ts';

const VECTOR_LENGTH = 3_072;
const BIGGEST_BATCH = 100;

/** The vector of one text. */
export function embed(request: Json) {
  const dimensions = Number(request.outputDimensionality ?? VECTOR_LENGTH);
  return { values: embedText(readText(request.content), dimensions) };
}

/** The vectors of many; throws `InvalidArgument` for more than Google takes at once. */
export function embedBatch(body: Json) {
  const requests = Array.isArray(body.requests) ? (body.requests as Json[]) : [];
  if (requests.length === 0 || requests.length > BIGGEST_BATCH) {
    throw new InvalidArgument(
      '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n',
    );
  }
  return { embeddings: requests.map(embed) };
}

/** The tokens of a request. */
export function count(body: Json) {
  const totalTokens = countTokens(readCountedText(body));
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
