import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import { listReadyFiles, type TurnFile } from '#server/files/message-files/list-ready-files.ts';
import { listCopies, recordCopy, recordNewCopy } from '#server/files/message-files/record-copy.ts';
import type { PricedRead } from '../message-store/message-parts.ts';
import type { FileCopies, FilePart, FileSource } from '../upstream/transport/upstream.ts';

type OpenDeps = Pick<BaseDeps, 'database' | 'storages' | 'clock'>;

/**
 * The files that a message was priced with, by id, in their order. Throws `files_gone` where one was deleted since, also where another
 * file has its id.
 */
export async function openTurnFiles(
  deps: OpenDeps,
  userId: string,
  reads: readonly PricedRead[],
): Promise<Map<string, FilePart>> {
  const ids = reads.map(({ fileId }) => fileId);
  const files = await listReadyFiles(deps, userId, ids);
  return new Map(
    reads.map(({ fileId: id, sha256, tokens }) => {
      const file = files.get(id);
      if (!file || file.sha256 !== (sha256 ?? file.sha256)) throw new AppError('files_gone');
      return [
        id,
        { tokens, kind: 'file', type: file.type, name: file.name, source: sourceOf(deps, userId, file) },
      ];
    }),
  );
}

function sourceOf(deps: OpenDeps, userId: string, file: TurnFile): FileSource {
  const isThere = async () =>
    (await listReadyFiles(deps, userId, [file.id])).get(file.id)?.sha256 === file.sha256;
  /** A file that is deleted while it is read is not a fault of ours, and another one under its id is not what was priced. */
  const whileThere = async <T>(read: Promise<T>): Promise<T> => {
    const content = await read.catch(async (error) => {
      throw (await isThere()) ? error : new AppError('files_gone', {}, { cause: error });
    });
    if (!(await isThere())) throw new AppError('files_gone');
    return content;
  };
  const isSeen = file.type.startsWith('image/') || file.type === 'application/pdf';
  return {
    owner: userId,
    bytes: file.bytes,
    hasText: file.hasText || !isSeen,
    content: () => whileThere(readWhole(file)),
    text: () => whileThere(file.text()),
    copies: copiesOf(deps, file, isThere),
  };
}

async function readWhole(file: TurnFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.content()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The copies of a file that are on record; one that its provider does not know any more is replaced by the next. */
function copiesOf(
  deps: OpenDeps,
  { id: fileId, sha256 }: TurnFile,
  isThere: () => Promise<boolean>,
): FileCopies {
  const forgotten = new Set<string>();
  return {
    async find(project) {
      if (forgotten.has(project)) return null;
      const copy = (await listCopies(deps, project, [fileId], deps.clock.now())).get(fileId) ?? null;
      if (copy && !(await isThere())) throw new AppError('files_gone');
      return copy;
    },
    recordNew: (project, name) => recordNewCopy(deps, { project, name }),
    async keep(project, { name, uri, expiresAt }) {
      forgotten.delete(project);
      const isKept = await recordCopy(deps, { fileId, sha256, project, name, uri, expiresAt });
      if (!isKept) throw new AppError('files_gone');
    },
    async forget(project) {
      forgotten.add(project);
    },
  };
}
