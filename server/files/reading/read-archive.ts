import { type Archive, openArchive } from './open-archive.ts';
import { readDocx } from './read-docx.ts';
import { readEpub } from './read-epub.ts';
import { openDocumentKind, readOpenDocument } from './read-open-document.ts';
import { readPptx } from './read-pptx.ts';
import { readRelations } from './read-relations.ts';
import { readXlsx } from './read-xlsx.ts';
import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

const MIME_LENGTH = 200;
/** The folder of its main part says what an Office file is. */
const OFFICE = { '/word/': readDocx, '/xl/': readXlsx, '/ppt/': readPptx };

/**
 * An Office file, an OpenDocument file or a book, recognised by its parts. Macros and files inside are not looked at. Any other ZIP is
 * `file_type_unsupported`.
 */
export async function readArchive(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  const archive = await openArchive(bytes, limits);
  const mime = await readMime(archive);
  if (mime === 'application/epub+zip') return readEpub(archive, limits);
  const kind = openDocumentKind(mime);
  if (kind) return readOpenDocument(archive, kind, limits);
  const main = (await readRelations(archive, '')).byType.get('officeDocument') ?? '';
  const reader = Object.entries(OFFICE).find(([folder]) => `/${main}`.startsWith(folder))?.[1];
  if (!reader || !main.endsWith('.xml'))
    throw new FileFault('file_type_unsupported', 'a ZIP of another kind');
  return reader(archive, main, limits);
}

/** The part `mimetype` of OpenDocument and EPUB; '' where there is none. */
async function readMime(archive: Archive): Promise<string> {
  let mime = '';
  if (!archive.has('mimetype')) return mime;
  for await (const piece of archive.read('mimetype')) {
    mime += piece.toString('latin1');
    if (mime.length > MIME_LENGTH) return '';
  }
  return mime.trim();
}
