import { DAY_MS } from '#contract/time.ts';
import { AppError } from '#server/errors.ts';
import { cleanName } from '#server/platform/clean-text.ts';
import { firstIdAt } from '#server/platform/ids.ts';

/** Longest name of a file in characters. */
const MAX_NAME = 200;
/** A file that no message names goes after this. */
export const EXPIRY_MS = DAY_MS;

/** A number of bytes in a header of tus. Throws `invalid_request` naming the header. */
export function parseBytes(text: string | undefined, header: string): number {
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new AppError('invalid_request', { field: header });
  return Number(text);
}

/** A UUID version 7. */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What `Upload-Metadata` says of a file. */
interface Metadata {
  name: string;
  keepsPlace: boolean;
  /** The id that its sender chose; null: none, or no UUID version 7. */
  chosenId: string | null;
}

/** Reads `Upload-Metadata`, pairs of a key and a value in Base64 (https://tus.io/protocols/resumable-upload). */
export function parseMetadata(metadata: string | undefined): Metadata {
  const pairs = (metadata ?? '').split(',').map((pair) => pair.trim().split(' '));
  const valueFor = (wanted: string) => {
    const encoded = pairs.find(([key]) => key === wanted)?.[1] ?? '';
    return Buffer.from(encoded, 'base64').toString('utf8');
  };
  const id = valueFor('id');
  return {
    name: cleanFileName(valueFor('filename')),
    keepsPlace: valueFor('keep_place') === 'true',
    chosenId: ID.test(id) ? id : null,
  };
}

/** Whether an id names a moment at most a day from `at`: objects of files are listed by the time in their ids. */
export function isRecentId(id: string, at: Date): boolean {
  const bound = (ms: number) => firstIdAt(new Date(at.getTime() + ms));
  return id >= bound(-DAY_MS) && id < bound(DAY_MS);
}

/** In how many pieces a file of so many bytes may come: each is a row, and with S3 an object that is read and deleted by itself. */
export function mostPieces(bytes: number): number {
  return 64 + Math.floor(bytes / 16_384);
}

/**
 * A name that a user gave a file: one line, without folders, control characters and marks that turn the direction of text. `file`
 * where nothing is left.
 */
export function cleanFileName(given: string): string {
  return shorten(cleanName(given.replace(/^.*[/\\]/s, ''))) || 'file';
}

/** A long name keeps its ending. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  const ending = /\.[^.\s]{1,10}$/u.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_NAME - ending.length).join('') + ending;
}
