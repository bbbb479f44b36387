import { UpstreamError } from './upstream-error.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const FIELD_LENGTH = 'data'.length;
const BOM_LENGTH = 3;

/** An event that is larger than any provider's is an attack or a fault. */
export const LARGEST_EVENT = 1024 * 1024;

/**
 * Reads server-sent events (HTML Living Standard, 9.2.6) from bytes cut anywhere, and hands over the data of each; all other
 * fields are skipped. Lines are cut as bytes, so a character split between two packets needs no decoder with a memory.
 * Throws `parse` when an event, or a line of any kind, grows beyond 1 MiB.
 */
export class SseReader {
  private readonly onData: (data: string) => void;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private data: string | null = null;
  private dataBytes = 0;
  private skipLf = false;
  private atStart = true;

  constructor(onData: (data: string) => void) {
    this.onData = onData;
  }

  /** Takes the next bytes; `onData` is called inside, in order. */
  feed(chunk: Buffer): void {
    let from = this.skipLf && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) this.skipLf = false;
    let lf = chunk.indexOf(LF, from);
    let cr = chunk.indexOf(CR, from);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      this.takeLine(chunk, from, end);
      from = end + 1;
      if (end === cr) {
        if (from === lf) from += 1;
        else if (from === chunk.length) this.skipLf = true;
        cr = chunk.indexOf(CR, from);
      }
      if (lf < from && lf !== -1) lf = chunk.indexOf(LF, from);
    }
    if (from < chunk.length) this.hold(from === 0 ? chunk : chunk.subarray(from));
  }

  private hold(part: Buffer) {
    this.held.push(part);
    this.heldBytes += part.length;
    if (this.heldBytes > LARGEST_EVENT) this.refuse();
  }

  private takeLine(chunk: Buffer, from: number, end: number) {
    if (this.heldBytes === 0) return this.readLine(chunk, from, end);
    if (end > from) this.held.push(chunk.subarray(from, end));
    const line = Buffer.concat(this.held);
    this.held = [];
    this.heldBytes = 0;
    this.readLine(line, 0, line.length);
  }

  private readLine(bytes: Buffer, from: number, end: number) {
    if (this.atStart) {
      this.atStart = false;
      if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += BOM_LENGTH;
    }
    if (from >= end) return this.dispatch();
    if (!this.isData(bytes, from, end)) return;
    let start = from + FIELD_LENGTH + 1;
    if (start < end && bytes[start] === SPACE) start += 1;
    this.dataBytes += end - from;
    if (this.dataBytes > LARGEST_EVENT) this.refuse();
    const value = start < end ? bytes.toString('utf8', start, end) : '';
    this.data = this.data === null ? value : `${this.data}\n${value}`;
  }

  private isData(bytes: Buffer, from: number, end: number): boolean {
    const after = from + FIELD_LENGTH;
    const named =
      bytes[from] === 0x64 &&
      bytes[from + 1] === 0x61 &&
      bytes[from + 2] === 0x74 &&
      bytes[from + 3] === 0x61;
    return named && (after === end || (after < end && bytes[after] === COLON));
  }

  private dispatch() {
    const { data } = this;
    if (data === null) return;
    this.data = null;
    this.dataBytes = 0;
    this.onData(data);
  }

  private refuse(): never {
    throw new UpstreamError('parse', 'an event of the stream is larger than 1 MiB');
  }
}
