import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562): unique, and sorted by time, which keeps indexes small. */
export function newId(): string {
  return v7();
}

/** The smallest id of a moment: what `newId` gives from then on is not below it. */
export function firstIdAt(moment: Date): string {
  const ms = moment.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}
