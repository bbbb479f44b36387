/** Limits that forms and the server share, apart from the schemas so that a page that needs a number does not load zod. */

export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;

/** In bytes. */
export const MEGABYTE = 1_048_576;

/** Longest display name in characters. */
export const NAME_MAX = 100;

/** Bytes of a picture to be uploaded. */
export const PICTURE_MAX_BYTES = 8 * MEGABYTE;

/** The last moment that a request may name, in epoch milliseconds: the year 9999, the last that ISO 8601 and PostgreSQL write alike. */
export const LATEST_MS = Date.UTC(9999, 11, 31);

/** Longest prompt in UTF-16 code units, as `String.length` counts; the operator may set another. */
export const PROMPT_LIMIT = 32_000;

/** Longest title of a conversation in UTF-16 code units. */
export const TITLE_LIMIT = 200;

/** Characters of a search after trimming; a longer one is refused. */
export const SEARCH_LIMIT = 200;

/** The version of tus that `POST /api/files`, `HEAD`, `PATCH` and `DELETE /api/files/{id}` speak (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0';
/** A piece is at most this long, in bytes: what a cut network has to send again. */
export const PIECE_LIMIT = 1_048_576;

/** Live API keys that one user may have, and the longest name of one. */
export const KEYS_MAX = 20;
export const KEY_NAME_MAX = 80;

/** Longest text that a user who took over a browser types at once, in UTF-16 code units. */
export const INPUT_TEXT_LIMIT = 1_000;
