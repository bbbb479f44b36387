/** Limits that forms and the server share, apart from the schemas so that a page that needs a number does not load zod. */

export const MIN_PASSWORD = 6;
export const MAX_PASSWORD = 128;

/** Bytes of a megabyte. */
export const MEGABYTE = 1_048_576;

/** Longest display name in characters. */
export const MAX_NAME = 100;

/** Bytes of a picture to be uploaded. */
export const MAX_PICTURE_BYTES = 8 * MEGABYTE;

/** The last moment that a request may name, in epoch milliseconds: the year 9999, the last that ISO 8601 and PostgreSQL write alike. */
export const LATEST_MS = Date.UTC(9999, 11, 31);

/** Longest prompt in UTF-16 code units, as `String.length` counts; the operator may set another. */
export const MAX_PROMPT = 32_000;

/** Longest title of a conversation in UTF-16 code units. */
export const MAX_TITLE = 200;

/** Characters of a search after trimming; a longer one is refused. */
export const MAX_SEARCH = 200;

/** The version of tus that `POST /api/files`, `HEAD`, `PATCH` and `DELETE /api/files/{id}` speak (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0';
/** A piece is at most this long, in bytes: what a cut network has to send again. */
export const MAX_PIECE = 1_048_576;

/** Live API keys that one user may have, and the longest name of one. */
export const MAX_KEYS = 20;
export const MAX_KEY_NAME = 80;

/** Steps of a browser that one message takes at most, however many its user would allow. */
export const MAX_STEPS = 30;

/** Longest text that a user who took over a browser types at once, in UTF-16 code units. */
export const MAX_INPUT_TEXT = 1_000;
