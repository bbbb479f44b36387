import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** A file is uploaded, then read by a worker; `failed` says why in `error` and is never sent to a model. */
export const fileStateSchema = z.enum(['uploading', 'reading', 'ready', 'failed']);
export type FileState = z.infer<typeof fileStateSchema>;

/** A file of a user. An upload belongs to no conversation until a message names it, and goes after a day. */
export const fileSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** MIME type, found in its bytes and never by its name; null until it was read. */
  type: z.string().nullable(),
  /** Its length. Of a picture it may shrink when it is read: what tells the place where it was taken is removed, unless it `keepsPlace`. */
  bytes: z.int(),
  /** The hash of the stored bytes, in hex; null until the file was read. */
  sha256: z.string().nullable(),
  state: fileStateSchema,
  /** Pages, sheets or slides; null where it has none. */
  pages: z.int().nullable(),
  /** What a model reads of it in one turn, as it is charged; null until it was read. */
  tokens: z.int().nullable(),
  /** Pixels of a picture, upright; null for anything else. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** False where no text was found in it, such as a scan or a picture. */
  hasText: z.boolean(),
  hasThumbnail: z.boolean(),
  /** Read again in each turn of its conversation; false: in the turn of its message only. */
  everyTurn: z.boolean(),
  /** Chosen with its upload: a picture is stored with what it says of place, time and camera; else that is removed when it is read. */
  keepsPlace: z.boolean(),
  error: z.object({ code: z.custom<ErrorCode>(), message: z.string() }).nullable(),
  createdAt: z.int(),
});
export type FileInfo = z.infer<typeof fileSchema>;

/**
 * `GET /api/conversations/{id}/files?cursor=`: a page of what its messages named, what was made for its answers and what was kept,
 * oldest first. `nextCursor` is the `cursor` of the next page; null on the last one.
 */
export const filePageSchema = z.object({ files: z.array(fileSchema), nextCursor: z.string().nullable() });
export type FilePage = z.infer<typeof filePageSchema>;

/** `GET /api/files/usage`: bytes that the user's files take, and may take by plan; how large one may be, and how many a message. */
export const fileUsageSchema = z.object({
  bytes: z.int(),
  quota: z.int(),
  fileLimit: z.int(),
  perMessage: z.int(),
});
export type FileUsage = z.infer<typeof fileUsageSchema>;

/** `PUT /api/files/{id}/every-turn` answers the file. */
export const everyTurnSchema = z.strictObject({ everyTurn: z.boolean() });

/** `GET /api/files/{id}/text`: the text found in it, cut after `MAX_FILE_PREVIEW` UTF-16 code units; sheets as tables of CSV. */
export const fileTextSchema = z.object({ text: z.string(), isCut: z.boolean() });
export type FileText = z.infer<typeof fileTextSchema>;
export const MAX_FILE_PREVIEW = 200_000;

/** `unnamed=true`: only a file that no message has named; what is left in a composer may have been sent meanwhile. */
export const deletionQuery = z.looseObject({ unnamed: z.enum(['true', 'false']).optional() });
