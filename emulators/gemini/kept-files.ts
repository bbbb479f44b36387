import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type SeenFile, seeFile } from '../files/seen-file.ts';
import { answerJson, readJson } from '../http-server.ts';
import { geminiError } from './gemini-error.ts';

/** A request about a file that is not there, or is another key's: Google does not say which. */
export class FileRefused extends Error {}

interface KeptFile {
  key: string;
  displayName: string;
  seen: SeenFile;
  createdAt: number;
  expiresAt: number;
  /** How many more questions are answered with PROCESSING. */
  processing: number;
}

interface Upload {
  key: string;
  type: string;
  length: number;
  displayName: string;
  pieces: Buffer[];
  size: number;
}

/** How files behave from now on. */
interface Behaviour {
  /** How often a new file is still PROCESSING when asked for. */
  processing: number;
  /** New files end as FAILED. */
  fails: boolean;
  lifeMs: number;
  /** The status that uploads are refused with; null: they are taken. */
  refusal: number | null;
}

const USUAL: Behaviour = { processing: 0, fails: false, lifeMs: 48 * 3_600_000, refusal: null };
const UPLOAD = /^\/upload\/(v1|v1beta)\/files$/;
const FILES = /^\/(v1|v1beta)\/files(?:\/([a-z0-9-]+))?$/;

/** Google's Files API (ai.google.dev/api/files): resumable upload, reading, listing, deleting, expiry. In memory. */
export class KeptFiles {
  private files = new Map<string, KeptFile>();
  private uploads = new Map<string, Upload>();
  private behaviour = USUAL;

  reset() {
    this.files = new Map();
    this.uploads = new Map();
    this.behaviour = USUAL;
  }

  /** Whether a path is of this API. */
  serves(path: string): boolean {
    return UPLOAD.test(path) || FILES.test(path);
  }

  /** The file that a `fileData` names. Throws `FileRefused`. */
  read({ fileUri, mimeType }: Record<string, unknown>): SeenFile {
    const uri = String(fileUri ?? '');
    const id = /\/v1(?:beta)?\/files\/([a-z0-9-]+)$/.exec(uri)?.[1];
    // Google also reads public addresses itself.
    if (id === undefined && uri.startsWith('https://'))
      return seeFile(Buffer.from(uri), String(mimeType), uri);
    const file = this.find(id ?? '');
    if (!file || this.stateOf(file) !== 'ACTIVE') throw refuse(id ?? uri);
    return { ...file.seen, type: String(mimeType ?? file.seen.type) };
  }

  /** `GET /__control/files` lists, `POST` changes the behaviour, `DELETE` forgets the files as if they had expired. */
  async control(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'POST') this.behaviour = { ...this.behaviour, ...(await readJson(request)) };
    if (request.method === 'DELETE') this.files = new Map();
    const files = [...this.files].map(([id, { key: _, ...file }]) => ({ name: `files/${id}`, ...file }));
    answerJson(response, 200, { ...this.behaviour, files });
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL, key: string) {
    if (UPLOAD.test(url.pathname)) return this.answerUpload(request, response, url, key);
    const id = FILES.exec(url.pathname)?.[2];
    if (id === undefined) return this.answerList(response, key);
    const file = this.find(id);
    if (!file || file.key !== key) throw refuse(id);
    if (request.method === 'DELETE') {
      this.files.delete(id);
      return answerJson(response, 200, {});
    }
    if (file.processing > 0) file.processing -= 1;
    answerJson(response, 200, this.present(id, file, request));
  }

  private answerList(response: ServerResponse, key: string) {
    const own = [...this.files].filter(([id, file]) => this.find(id) && file.key === key);
    answerJson(
      response,
      200,
      own.length > 0 ? { files: own.map(([id, file]) => this.present(id, file)) } : {},
    );
  }

  private async answerUpload(request: IncomingMessage, response: ServerResponse, url: URL, key: string) {
    const { refusal } = this.behaviour;
    if (refusal !== null)
      return answerJson(response, refusal, geminiError(refusal, 'The upload was refused.'));
    const header = (name: string) => String(request.headers[`x-goog-upload-${name}`] ?? '');
    if (header('command') === 'start') return this.startUpload(request, response, header, key);
    const id = url.searchParams.get('upload_id') ?? '';
    const upload = this.uploads.get(id);
    if (!upload) return answerJson(response, 404, geminiError(404, 'Upload not found.'));
    const piece = await buffer(request);
    if (Number(header('offset')) !== upload.size) {
      return answerJson(response, 400, geminiError(400, 'The offset is not where the upload stands.'));
    }
    upload.pieces.push(piece);
    upload.size += piece.length;
    const status = { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(upload.size) };
    if (!header('command').includes('finalize')) return answerJson(response, 200, {}, status);
    this.uploads.delete(id);
    if (upload.size !== upload.length) {
      return answerJson(response, 400, geminiError(400, 'The length is not what was announced.'));
    }
    const name = randomBytes(6).toString('hex');
    const kept = this.keep(upload);
    this.files.set(name, kept);
    const body = { file: this.present(name, kept, request) };
    answerJson(response, 200, body, { ...status, 'x-goog-upload-status': 'final' });
  }

  private async startUpload(
    request: IncomingMessage,
    response: ServerResponse,
    header: (name: string) => string,
    key: string,
  ) {
    const { file } = (await readJson(request)) as { file?: { displayName?: string } };
    const id = randomBytes(12).toString('hex');
    const type = header('header-content-type');
    const length = Number(header('header-content-length'));
    if (header('protocol') !== 'resumable' || type === '' || !(length > 0)) {
      return answerJson(response, 400, geminiError(400, 'The upload lacks its type or its length.'));
    }
    this.uploads.set(id, { key, type, length, displayName: file?.displayName ?? '', pieces: [], size: 0 });
    const target = new URL(request.url ?? '/', `http://${request.headers.host}`);
    target.search = `?upload_id=${id}&upload_protocol=resumable`;
    answerJson(response, 200, {}, { 'x-goog-upload-url': target.href, 'x-goog-upload-status': 'active' });
  }

  private keep({ key, type, displayName, pieces }: Upload): KeptFile {
    const { processing, lifeMs } = this.behaviour;
    const createdAt = Date.now();
    const seen = seeFile(Buffer.concat(pieces), type, displayName);
    return { key, displayName, seen, createdAt, expiresAt: createdAt + lifeMs, processing };
  }

  private find(id: string): KeptFile | undefined {
    const file = this.files.get(id);
    return file && file.expiresAt > Date.now() ? file : undefined;
  }

  private stateOf({ processing }: KeptFile): 'PROCESSING' | 'ACTIVE' | 'FAILED' {
    if (processing > 0) return 'PROCESSING';
    return this.behaviour.fails ? 'FAILED' : 'ACTIVE';
  }

  private present(id: string, file: KeptFile, request?: IncomingMessage) {
    const state = this.stateOf(file);
    return {
      name: `files/${id}`,
      displayName: file.displayName,
      mimeType: file.seen.type,
      sizeBytes: String(file.seen.bytes),
      createTime: new Date(file.createdAt).toISOString(),
      updateTime: new Date(file.createdAt).toISOString(),
      expirationTime: new Date(file.expiresAt).toISOString(),
      // Google gives the base64 of the hash in hex.
      sha256Hash: Buffer.from(file.seen.sha256).toString('base64'),
      uri: `http://${request?.headers.host ?? 'localhost'}/v1beta/files/${id}`,
      state,
      source: 'UPLOADED',
      ...(state === 'FAILED' ? { error: { code: 3, message: 'The file could not be processed.' } } : {}),
    };
  }
}

function refuse(id: string): FileRefused {
  return new FileRefused(`You do not have permission to access the File ${id} or it may not exist.`);
}
