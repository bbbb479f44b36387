import { v7 as newId } from 'uuid';
import type { FileInfo } from '#contract/message/files.ts';
import type { InputPart } from '#contract/message/parts.ts';
import { ApiError, callApi } from '#web/lib/api.ts';

/** A file as the draft keeps it, for after a reload. */
export interface DraftFile {
  id: string;
  name: string;
  bytes: number;
}

/**
 * `waiting` for its turn, `uploading`, `lost`: the network is gone and the upload goes on with it; `cut`: the page was left before
 * the end, and the same file is needed again; `reading` by the server.
 */
export type AttachmentState = 'waiting' | 'uploading' | 'lost' | 'cut' | 'reading' | 'ready' | 'failed';

/** A file of the message being written. */
export interface Attachment {
  /** A UUID version 7, which becomes the server's id of a file that is uploaded. */
  key: string;
  /** The server's id; null until it has one. */
  id: string | null;
  name: string;
  bytes: number;
  /** Bytes that the server has. */
  sent: number;
  /** A photo keeps the place where it was taken. */
  keepsPlace: boolean;
  state: AttachmentState;
  info: FileInfo | null;
  problem: ApiError | null;
}

/** What was chosen beyond what a message may have, and is not among its files. */
export interface LeftOut {
  count: number;
  /** As many as a message may have. */
  limit: number;
}

const loadTransfer = () => import('./transfer-file.ts');

/** The files of one draft: what is shown of them, and their way to the server. */
export class Attachments {
  private items: readonly Attachment[] = [];
  /** On their way, by message: no longer shown, but kept until it arrived. */
  private readonly sending = new Map<string, readonly Attachment[]>();
  /** For what is added from now on. */
  private placeKept = false;
  private leftOut: LeftOut | null = null;
  private readonly files = new Map<string, File>();
  private readonly transfers = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  private readonly onKept: () => void;

  /** `onKept` is called when what `kept` gives has changed. */
  constructor(onKept: () => void) {
    this.onKept = onKept;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): readonly Attachment[] => this.items;

  /** What was left out when files were last added; null: nothing. */
  readonly readLeftOut = (): LeftOut | null => this.leftOut;

  /** Whether photos that are added keep the place where they were taken: not unless chosen. */
  readonly keepsPlace = (): boolean => this.placeKept;

  /** Chooses that for the photos that are added from now on, until the page is left. */
  keepPlace(isKept: boolean): void {
    this.placeKept = isKept;
    for (const listener of this.listeners) listener();
  }

  /** What the draft keeps for after a reload: the files that the server knows, those on their way with a message too. */
  kept(): DraftFile[] {
    return this.all().flatMap(({ id, name, bytes }) => (id ? [{ id, name, bytes }] : []));
  }

  /** Whether it holds bytes of a file that the server may lack, and that only this page can upload. */
  hasBytes(): boolean {
    return this.files.size > 0;
  }

  /** Shows what was kept, and asks the server what became of it. */
  restore(kept: readonly DraftFile[]): void {
    const known = new Set(this.items.map(({ id }) => id));
    const isNew = ({ id }: DraftFile) => !known.has(id);
    const back = kept.filter(isNew).map((file) => ({ ...asWaiting(file, false), id: file.id }));
    if (back.length === 0) return;
    this.change([...this.items, ...back]);
    for (const { key } of back) void this.transfer(key);
  }

  /**
   * Adds files and uploads them, as many as a message may have: the others are left out. One that was cut off by a reload goes on where
   * it stopped.
   */
  add(files: readonly File[]): void {
    this.leftOut = null;
    const added: string[] = [];
    for (const file of files) {
      const cut = this.items.find(
        ({ state, name, bytes }) => state === 'cut' && name === file.name && bytes === file.size,
      );
      const item = cut ?? asWaiting({ name: file.name, bytes: file.size }, this.placeKept);
      this.files.set(item.key, file);
      if (cut) {
        this.set(item.key, { state: 'waiting' });
        void this.transfer(item.key);
      } else {
        this.change([...this.items, item]);
        added.push(item.key);
      }
    }
    void this.admit(added);
  }

  /** Uploads a file again that failed. */
  retry(key: string): void {
    this.leftOut = null;
    this.set(key, { state: 'waiting', problem: null });
    const isBegun = this.items.some((one) => one.key === key && one.id !== null);
    void (isBegun ? this.transfer(key) : this.admit([key]));
  }

  /** Takes a file off the message, stops its upload and has the server delete it, unless it was sent meanwhile, as in another tab. */
  remove(key: string): void {
    const item = this.items.find((one) => one.key === key);
    this.leftOut = null;
    this.takeOff(key);
    if (item?.id) deleteUnnamed(item.id);
  }

  /** Stops every upload and forgets the files, those on their way with a message too. */
  clear(): void {
    for (const { key } of this.all()) this.forget(key);
    this.sending.clear();
    this.leftOut = null;
    this.change([]);
  }

  /** Has a file read in each turn, or in this one only. Throws `ApiError`. */
  async setEveryTurn(key: string, everyTurn: boolean): Promise<void> {
    const item = this.items.find((one) => one.key === key);
    if (!item?.id) return;
    const path = `/api/files/${item.id}/every-turn`;
    const info = await callApi<FileInfo>(path, { method: 'PUT', body: { everyTurn } });
    this.set(key, { info });
  }

  /** They go with a message: others can be added meanwhile. */
  beginSending(messageId: string): void {
    this.sending.set(messageId, this.items);
    this.leftOut = null;
    this.change([]);
  }

  /** They were sent, or come back. */
  endSending(messageId: string, isSent: boolean): void {
    const sending = this.sending.get(messageId) ?? [];
    this.sending.delete(messageId);
    if (isSent) for (const { key } of sending) this.forget(key);
    this.change(isSent ? this.items : [...sending, ...this.items]);
  }

  /** Takes off what was sent with a message, however that arrived. */
  takeOffSent(ids: readonly string[]): void {
    if (!this.items.some(({ id }) => id !== null && ids.includes(id))) return;
    this.change(this.items.filter(({ id }) => id === null || !ids.includes(id)));
  }

  /** Where a message was refused because a file of it is deleted: marks that one, and returns the refusal with its name. */
  markDeleted(refusal: ApiError): ApiError {
    const item = this.items.find(({ id }) => id !== null && id === refusal.params.fileId);
    if (refusal.code !== 'file_deleted' || !item) return refusal;
    const problem = new ApiError(refusal.code, { ...refusal.params, name: item.name }, refusal.status);
    this.set(item.key, { state: 'failed', problem });
    return problem;
  }

  /** Refuses what the server would refuse before a byte is sent, leaves out what is too many, and uploads the others. */
  private async admit(keys: readonly string[]): Promise<void> {
    const refuse = await loadTransfer().then(
      ({ askLimits }) => askLimits(),
      () => () => null,
    );
    for (const key of keys) {
      const file = this.files.get(key);
      if (!file) continue;
      const problem = refuse(file, this.placeOf(key));
      if (problem?.code === 'too_many_files') {
        this.leftOut = { count: (this.leftOut?.count ?? 0) + 1, limit: Number(problem.params.limit) };
        this.takeOff(key);
      } else if (problem) this.set(key, { state: 'failed', problem });
      else void this.transfer(key);
    }
  }

  /** The place of a file among those that can be sent, from 1. */
  private placeOf(key: string): number {
    const all = this.all();
    const until = all.slice(0, all.findIndex((one) => one.key === key) + 1);
    return until.filter(({ state }) => state !== 'failed').length;
  }

  private all(): Attachment[] {
    return [...this.sending.values(), this.items].flat();
  }

  private takeOff(key: string): void {
    this.forget(key);
    this.change(this.items.filter((one) => one.key !== key));
  }

  private forget(key: string): void {
    this.transfers.get(key)?.abort();
    this.transfers.delete(key);
    this.files.delete(key);
  }

  private async transfer(key: string): Promise<void> {
    const item = this.items.find((one) => one.key === key);
    if (!item) return;
    this.transfers.get(key)?.abort();
    const controller = new AbortController();
    this.transfers.set(key, controller);
    const { signal } = controller;
    try {
      const { transferFile } = await loadTransfer();
      const info = await transferFile(
        { id: item.id, newId: key, file: this.files.get(key) ?? null, keepsPlace: item.keepsPlace },
        { signal, onChange: (change) => this.follow(key, signal, change) },
      );
      if (signal.aborted) return;
      if (info === null) return this.set(key, { state: 'cut' });
      const state = info.state === 'failed' ? 'failed' : 'ready';
      this.files.delete(key);
      this.set(key, { state, info, name: info.name, bytes: info.bytes, sent: info.bytes });
    } catch (error) {
      if (signal.aborted) return;
      this.set(key, {
        state: 'failed',
        problem: error instanceof ApiError ? error : new ApiError('network'),
      });
    }
  }

  /** Shows how far a transfer is. One that was given up may still begin a file, which is deleted. */
  private follow(key: string, signal: AbortSignal, change: Partial<Attachment>): void {
    if (!signal.aborted) this.set(key, change);
    else if (change.id) deleteUnnamed(change.id);
  }

  private set(key: string, change: Partial<Attachment>): void {
    const put = (one: Attachment) => (one.key === key ? { ...one, ...change } : one);
    for (const [messageId, items] of this.sending) this.sending.set(messageId, items.map(put));
    this.change(this.items.map(put), 'id' in change);
  }

  private change(items: readonly Attachment[], isKept = true): void {
    this.items = items;
    if (isKept) this.onKept();
    for (const listener of this.listeners) listener();
  }
}

/** Has the server delete a file that no message names. */
function deleteUnnamed(id: string): void {
  void callApi(`/api/files/${id}?unnamed=true`, { method: 'DELETE' }).catch(() => {});
}

function asWaiting({ name, bytes }: Pick<DraftFile, 'name' | 'bytes'>, keepsPlace: boolean): Attachment {
  const nothing = { id: null, sent: 0, info: null, problem: null };
  return { key: newId(), name, bytes, keepsPlace, state: 'waiting', ...nothing };
}

/** The ids of files that are all ready; null while one is not. */
export function readyIds(items: readonly Attachment[]): string[] | null {
  const ids = items.flatMap(({ id, state }) => (id !== null && state === 'ready' ? [id] : []));
  return ids.length === items.length ? ids : null;
}

/** Whether a model must see to read the file: a picture, or a document without text in it, such as a scan. */
export function onlySeen({ type, hasText }: FileInfo): boolean {
  return isPicture(type) || !hasText;
}

/** Whether a MIME type is one of a picture. */
export function isPicture(type: string | null): boolean {
  return type?.startsWith('image/') ?? false;
}

/** What a message shows of its files before the server has it. */
export function partsOf(items: readonly Attachment[], ids: readonly string[]): InputPart[] {
  return items.flatMap(({ id, name, info }): InputPart[] => {
    if (id === null || !ids.includes(id)) return [];
    if (isPicture(info?.type ?? null)) return [{ kind: 'image', fileId: id }];
    return [{ kind: 'file', fileId: id, name, type: info?.type ?? '' }];
  });
}
