/** A request that Google would refuse with 400 INVALID_ARGUMENT. */
export class InvalidArgument extends Error {}

export type Json = Record<string, unknown>;

/** The value where it is an object; else an empty one. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of a list; none where it is no list. */
export function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}
