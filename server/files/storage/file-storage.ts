import { AppError } from '#server/errors.ts';
import { createDatabaseStorage } from './database-storage.ts';
import { createS3Storage, type S3Access } from './s3-storage.ts';

/** A chunk of the content of a file, as its row keeps it: the bytes, or the name under which they lie outside. */
export interface StoredChunk {
  /** Its first byte, counted from the beginning of what was put. */
  offset: number;
  length: number;
  bytes: Buffer | null;
  object: string | null;
}

/** An object outside, and when it was put there. */
export interface StoredObject {
  name: string;
  putAt: Date;
}

/** What keeps the contents of files. Every call but `put` may be repeated. */
export interface FileStorage {
  kind: 'database' | 's3';
  /** Keeps bytes of a file, in chunks of 1 MB at most; they count once their rows are written. */
  put(fileId: string, bytes: Buffer): Promise<StoredChunk[]>;
  /** Bytes [from, to) of a chunk. */
  read(chunk: Pick<StoredChunk, 'bytes' | 'object'>, from: number, to: number): Promise<Buffer>;
  /** Deletes all objects whose names begin with `prefix`. Rows are deleted with their file. */
  delete(prefix: string): Promise<void>;
  /** Objects whose names begin with `prefix`, by name, those after `after` only. */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
}

/** The storages of this process. */
export interface FileStorages {
  /** Where new files go. */
  current: FileStorage;
  /** The one that a file is in. Throws `not_configured` where its settings are gone. */
  of(kind: FileStorage['kind']): FileStorage;
}

/** Makes the storages. `s3`: null where none is set, and new files go into PostgreSQL. */
export function createFileStorages(s3: S3Access | null): FileStorages {
  const database = createDatabaseStorage();
  const outside = s3 && createS3Storage(s3);
  return {
    current: outside ?? database,
    of(kind) {
      const storage = kind === 's3' ? outside : database;
      if (!storage) throw new AppError('not_configured');
      return storage;
    },
  };
}
