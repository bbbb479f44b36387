import type { KeepRequest } from './computer.ts';

/** Names what is kept among all that a run showed. */
export function keyOfKept(thing: KeepRequest): string {
  if (thing.what === 'table') return `table:${thing.n}`;
  return thing.what === 'picture' ? `picture:${thing.step}` : `file:${thing.step}:${thing.n}`;
}
