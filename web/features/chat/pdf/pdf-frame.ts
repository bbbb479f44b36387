import { type Answer, FrameChannel, type PageQuestion, type PdfFault } from './frame-channel.ts';
import type { PageSize } from './page-layout.ts';

export class PdfError extends Error {
  readonly fault: PdfFault;

  constructor(fault: PdfFault) {
    super(fault);
    this.name = 'PdfError';
    this.fault = fault;
  }
}

/** More than our server reads of one (server/files/reading/reading-rules.ts). */
const MAX_PAGES = 2_000;
const MAX_TEXT = 100_000;

/**
 * A PDF in a frame, which draws its pages. A page that takes too long or too much memory is given up, and its frame with it: only so
 * does a loop in it end, and is its memory given back. The other pages go on in a new frame.
 */
export class PdfFrame {
  readonly #content: Promise<Blob>;
  /** What was given up, by question and page. */
  readonly #givenUp = new Map<string, PdfFault>();
  #channel = new FrameChannel();
  #opened: Promise<Answer>;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Opens a PDF, whose bytes go to the frame as soon as they are there. */
  constructor(content: Promise<Blob>) {
    this.#content = content;
    this.#opened = this.#open();
  }

  /** Its number of pages, and the size of the first in points. Throws `PdfError`, and what its content was rejected with. */
  async open(): Promise<{ pages: number; first: PageSize | null }> {
    const { pages, first } = asRecord(foundIn(await this.#opened));
    if (!Number.isInteger(pages) || Number(pages) < 1) throw new PdfError('broken');
    return { pages: Math.min(Number(pages), MAX_PAGES), first: asSize(first) };
  }

  /** The sizes of all pages; null for one that has none. Throws `PdfError`. */
  async listSizes(): Promise<(PageSize | null)[]> {
    foundIn(await this.#opened);
    const answer = await this.#channel.ask({ ask: 'sizes' });
    if (answer.fault === 'closed' && !this.#isClosed) return this.listSizes();
    const sizes = foundIn(answer);
    return Array.isArray(sizes) ? sizes.slice(0, MAX_PAGES).map(asSize) : [];
  }

  /** The text of a page, counted from 1; '' where it has none. Throws `PdfError`, and the reason of an aborted `signal`. */
  async readText(page: number, signal: AbortSignal): Promise<string> {
    const text = await this.#askInTurn({ ask: 'text', page }, signal);
    return typeof text === 'string' ? text.slice(0, MAX_TEXT) : '';
  }

  /** A page drawn in so many pixels. Throws `PdfError`, and the reason of an aborted `signal`. */
  async draw(page: number, pixels: PageSize, signal: AbortSignal): Promise<ImageBitmap> {
    const drawn = await this.#askInTurn({ ask: 'draw', page, ...pixels }, signal);
    const isWhole =
      drawn instanceof ImageBitmap && drawn.width <= pixels.width && drawn.height <= pixels.height;
    if (!isWhole) throw new PdfError('broken');
    return drawn;
  }

  /** Ends it and all that it does. */
  close(): void {
    this.#isClosed = true;
    this.#channel.close();
  }

  async #open(): Promise<Answer> {
    const bytes = await (await this.#content).arrayBuffer();
    return this.#channel.ask({ ask: 'open', bytes });
  }

  /** One after the other, so that what is near is not drawn at the same time as what was left behind. */
  #askInTurn(question: PageQuestion, signal: AbortSignal): Promise<unknown> {
    const answer = this.#last.then(() => this.#askOfPage(question, signal));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #askOfPage(question: PageQuestion, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    foundIn(await this.#opened);
    const key = `${question.ask} ${question.page}`;
    const known = this.#givenUp.get(key);
    if (known) throw new PdfError(known);
    const answer = await this.#channel.ask(question, signal);
    const { fault } = answer;
    if (fault === 'slow' || fault === 'heavy') {
      this.#givenUp.set(key, fault);
      this.#reopen();
    }
    signal.throwIfAborted();
    return foundIn(answer);
  }

  #reopen(): void {
    this.#channel.close();
    if (this.#isClosed) return;
    this.#channel = new FrameChannel();
    this.#opened = this.#open();
  }
}

function foundIn(answer: Answer): unknown {
  if (answer.fault === undefined) return answer.found;
  throw new PdfError(answer.fault === 'closed' ? 'broken' : answer.fault);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asSize(value: unknown): PageSize | null {
  const { width, height } = asRecord(value);
  const isSize = [width, height].every((one) => typeof one === 'number' && Number.isFinite(one) && one > 0);
  return isSize ? { width: Number(width), height: Number(height) } : null;
}
