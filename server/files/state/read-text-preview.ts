import { type FileText, MAX_FILE_PREVIEW } from '#contract/message/files.ts';
import { limitText } from '#server/platform/clean-text.ts';
import type { FileRow } from './file-store.ts';
import { type ContentDeps, readWhole } from './read-content.ts';

/** Most bytes that a UTF-16 code unit takes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** The text that was found in a file, as far as it is shown; '' where there is none. Throws as `readContent`. */
export async function readTextPreview(deps: ContentDeps, file: FileRow): Promise<FileText> {
  if (!file.hasText) return { text: '', isCut: false };
  const limit = (MAX_FILE_PREVIEW + 1) * BYTES_PER_UNIT;
  const text = new TextDecoder().decode(await readWhole(deps, file, 'text', limit), { stream: true });
  if (text.length <= MAX_FILE_PREVIEW) return { text, isCut: false };
  return { text: limitText(text, MAX_FILE_PREVIEW), isCut: true };
}
