import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562): unique, and sorted by time, which keeps indexes small. */
export function newId(): string {
  return v7();
}
