declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  interface Entry {
    fileName: string;
  }
  interface ZipFile {
    on(event: 'entry', listen: (entry: Entry) => void): void;
    on(event: 'end', listen: () => void): void;
    on(event: 'error', listen: (error: Error) => void): void;
    readEntry(): void;
    openReadStream(entry: Entry, done: (error: Error | null, stream: Readable) => void): void;
  }
  type Opened = (error: Error | null, zip: ZipFile) => void;
  export function fromBuffer(bytes: Buffer, options: { lazyEntries: boolean }, done: Opened): void;
}
