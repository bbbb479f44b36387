import type { Language } from '#contract/choices.ts';
import type { FileInfo } from '#contract/message/files.ts';
import { translate } from '#server/platform/translate.ts';
import type { FileRow } from './file-store.ts';

/** A file as its user sees it. */
export function presentFile(row: FileRow, language: Language): FileInfo {
  const { id, name, type, bytes, sha256, state, pages, tokens, width, height } = row;
  const { hasText, hasThumbnail, everyTurn, keepsPlace, errorCode, createdAt } = row;
  return {
    id,
    name,
    type,
    bytes,
    sha256,
    state,
    pages,
    tokens,
    width,
    height,
    hasText,
    hasThumbnail,
    everyTurn,
    keepsPlace,
    error: errorCode && { code: errorCode, message: translate(language, `errors.${errorCode}`, { name }) },
    createdAt: createdAt.getTime(),
  };
}
