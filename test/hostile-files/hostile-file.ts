import type { FileFaultCode } from '#server/files/reading/reading-rules.ts';

/** A file that is meant to do harm, and how reading it may end: by one of these codes, or read as what it is. */
export interface HostileFile {
  name: string;
  /** Made anew each time: some take a second, and no test wants all of them. */
  readonly bytes: Buffer;
  ends: readonly (FileFaultCode | 'read')[];
}

export function hostile(
  name: string,
  make: () => Buffer | string,
  ...ends: HostileFile['ends']
): HostileFile {
  return {
    name,
    get bytes() {
      return Buffer.from(make());
    },
    ends,
  };
}

/** One of them, by its name. Throws where there is none. */
export function findHostile(files: readonly HostileFile[], name: string): HostileFile {
  const found = files.find((file) => file.name === name);
  if (!found) throw new Error(`no hostile file is named ${name}`);
  return found;
}
