import type { FileFaultCode } from '#server/files/reading/reading-rules.ts';

/** A file that is meant to do harm, and how reading it may end: by one of these codes, or read as what it is. */
export interface HostileFile {
  name: string;
  bytes: Buffer;
  ends: readonly (FileFaultCode | 'read')[];
}

export function hostile(name: string, bytes: Buffer | string, ...ends: HostileFile['ends']): HostileFile {
  return { name, bytes: Buffer.from(bytes), ends };
}
