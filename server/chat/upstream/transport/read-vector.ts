import { UpstreamError } from './upstream-error.ts';

/** An embedding as a provider sends it; throws `parse` when it is no list of numbers. */
export function readVector(value: unknown): number[] {
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number'))
    return value;
  throw new UpstreamError('parse', 'an embedding is no list of numbers');
}
