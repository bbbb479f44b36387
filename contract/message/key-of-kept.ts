import type { KeepRequest } from './computer.ts';

/** Names what is kept among all that a run showed. */
export function keyOfKept(thing: KeepRequest): string {
  return thing.what === 'picture' ? `picture:${thing.step}` : `file:${thing.step}:${thing.n}`;
}
