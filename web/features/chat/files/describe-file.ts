import { MEGABYTE } from '#contract/limits.ts';
import type { FileInfo } from '#contract/message/files.ts';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { isPicture } from './attachments.ts';

const KB = 1_024;

/** A file in a line: its size and pages; unless it is said `briefly`, its pixels and the tokens that a model reads too. */
export function describeFile(t: Translate, info: FileInfo, briefly = false): string {
  const { bytes, pages, tokens, width, height, type, hasText, keepsPlace } = info;
  return [
    formatBytes(t, bytes),
    pages === null ? null : t(pagesKey(type), { count: pages }),
    width !== null && height !== null && !briefly ? `${width} × ${height}` : null,
    tokens !== null && !briefly ? t('files.tokens', { count: tokens }) : null,
    hasText || isPicture(type) ? null : t(type === 'application/pdf' ? 'files.scan' : 'files.noText'),
    keepsPlace && isPicture(type) ? t('files.placeKept') : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

const GIGABYTE = 1_024 * MEGABYTE;

/** Bytes as people say them, in the units of the limits. */
export function formatBytes(t: Translate, bytes: number): string {
  if (bytes < KB) return t('files.bytes', { count: bytes });
  if (bytes < MEGABYTE) return t('files.kilobytes', { count: Math.round(bytes / KB) });
  const isLarge = bytes >= GIGABYTE;
  const tenths = Math.round(bytes / ((isLarge ? GIGABYTE : MEGABYTE) / 10));
  return t(isLarge ? 'files.gigabytes' : 'files.megabytes', { count: tenths / 10 });
}

/**
 * What the text of a file holds as tables: one of a CSV, which the server tells from no other text and is known by its name, or the
 * sheets of a workbook. Null: none.
 */
export function tablesOf({ name, type }: Pick<FileInfo, 'name' | 'type'>): 'csv' | 'sheets' | null {
  if (type?.includes('sheet')) return 'sheets';
  return type === 'text/plain' && /\.csv$/i.test(name) ? 'csv' : null;
}

function pagesKey(type: string | null): TextKey {
  if (type?.includes('sheet')) return 'files.sheets';
  if (type?.includes('presentation')) return 'files.slides';
  return 'files.pages';
}
