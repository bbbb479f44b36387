import type { Context } from 'hono';
import { Hono } from 'hono';
import { MAX_PIECE, TUS_VERSION } from '#contract/limits.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { readPiece } from '#server/platform/http/read-piece.ts';
import { readOwnFile } from '../state/read-own-file.ts';
import { createUpload } from './create-upload.ts';
import { limitPieces } from './limit-pieces.ts';
import { receivePiece, UploadConflict } from './receive-piece.ts';
import { parseBytes, parseMetadata } from './upload-rules.ts';

type FileRow = Awaited<ReturnType<typeof readOwnFile>>;

/**
 * Uploads in pieces as tus 1.0 has them (https://tus.io/protocols/resumable-upload), with the extensions creation, expiration and
 * termination; `DELETE /api/files/{id}` and `HEAD` stand beside the other routes of a file.
 */
export function uploadRoutes(deps: Deps) {
  const withPlace = limitPieces();
  return new Hono<HttpEnv>()
    .on('OPTIONS', '/api/files', (c) => {
      c.header('tus-resumable', TUS_VERSION);
      c.header('tus-version', TUS_VERSION);
      c.header('tus-extension', 'creation,expiration,termination');
      c.header('tus-max-size', String(deps.config.files.limitBytes));
      return c.body(null, 204);
    })
    .post('/api/files', async (c) => {
      const { userId } = requireActor(c);
      requireVersion(c);
      const bytes = parseBytes(c.req.header('upload-length'), 'Upload-Length');
      const metadata = parseMetadata(c.req.header('upload-metadata'));
      const { id, received, expiresAt } = await createUpload(deps, userId, { ...metadata, bytes });
      c.header('location', `/api/files/${id}`);
      sendState(c, { received, state: 'uploading', expiresAt });
      return c.body(null, 201);
    })
    .patch('/api/files/:id', async (c) => {
      const { userId } = requireActor(c);
      const id = parseId(c);
      // The id of a stranger is not found, whatever else is wrong with the request.
      await readOwnFile(deps, userId, id);
      requireVersion(c);
      const offset = parseBytes(c.req.header('upload-offset'), 'Upload-Offset');
      try {
        const piece = { offset, readPiece: () => readPiece(c, MAX_PIECE) };
        sendState(c, await withPlace(userId, () => receivePiece(deps, userId, id, piece)));
      } catch (error) {
        if (error instanceof UploadConflict) c.header('upload-offset', String(error.offset));
        throw error;
      }
      return c.body(null, 204);
    });
}

/** The answer to `HEAD`: how much of the file is here. */
export function answerHead(c: Context, file: FileRow): Response {
  sendState(c, file);
  c.header('upload-length', String(file.bytes));
  return c.body(null, 200);
}

/** The answer to `DELETE`, of an upload as well as of a file. */
export function answerTermination(c: Context): Response {
  c.header('tus-resumable', TUS_VERSION);
  return c.body(null, 204);
}

function requireVersion(c: Context) {
  c.header('tus-resumable', TUS_VERSION);
  if (c.req.header('tus-resumable') === TUS_VERSION) return;
  c.header('tus-version', TUS_VERSION);
  throw new AppError('upload_version_unsupported');
}

function sendState(
  c: Context,
  { received, state, expiresAt }: Pick<FileRow, 'received' | 'state' | 'expiresAt'>,
) {
  c.header('tus-resumable', TUS_VERSION);
  c.header('upload-offset', String(received));
  c.header('cache-control', 'no-store');
  if (state === 'uploading' && expiresAt) c.header('upload-expires', expiresAt.toUTCString());
}
