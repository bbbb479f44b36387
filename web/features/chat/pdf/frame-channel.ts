/** `encrypted`: a password is asked for; `broken`: it cannot be read; `slow`: no answer came in time; `heavy`: it takes too much memory. */
export type PdfFault = 'encrypted' | 'broken' | 'slow' | 'heavy';

/** What is asked about one page, counted from 1. */
export type PageQuestion =
  | { ask: 'text'; page: number }
  | { ask: 'draw'; page: number; width: number; height: number };

type Question = { ask: 'open'; bytes: ArrayBuffer } | { ask: 'sizes' } | PageQuestion;

/** What was found, unchecked; or why not. `closed`: the frame was, by us. */
export type Answer = { found: unknown; fault?: undefined } | { fault: PdfFault | 'closed' };

/** What the frame says: it runs what strangers wrote, so that nothing of it is taken for granted. */
interface Said {
  id?: unknown;
  found?: unknown;
  fault?: unknown;
  /** A file of pdfjs that it wants. */
  file?: unknown;
}

interface Waiting {
  settle: (answer: Answer) => void;
  /** Lets it wait anew. */
  restart: () => void;
}

const OPEN_TIMEOUT_MS = 30_000;
const PAGE_TIMEOUT_MS = 10_000;
/** What a frame may ask for: files that our build has beside it, and nothing of anybody's. */
const PDFJS_FILE = /^(cmaps|standard_fonts)\/[\w-]+\.(bcmap|pfb|ttf)$/;

/** One document without an origin and without a network, and the questions that it has not answered. */
export class FrameChannel {
  readonly #frame = document.createElement('iframe');
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.onmessage = ({ data }: MessageEvent<Said | null>) => this.#receive(data ?? {});
    this.#frame.setAttribute('sandbox', 'allow-scripts');
    this.#frame.setAttribute('aria-hidden', 'true');
    this.#frame.tabIndex = -1;
    this.#frame.className = 'drawing-frame';
    this.#frame.src = '/sandbox/pdf';
    this.#frame.addEventListener('load', () => this.#frame.contentWindow?.postMessage('pdf', '*', [port2]));
    document.body.append(this.#frame);
  }

  /** Never throws. A page has 10 s, what is about the whole PDF 30; an aborted `signal` asks the frame to stop, and its answer is awaited. */
  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const limit = 'page' in question ? PAGE_TIMEOUT_MS : OPEN_TIMEOUT_MS;
    const startTimer = () => setTimeout(resolve, limit, { fault: 'slow' });
    let timer = startTimer();
    const restart = () => {
      clearTimeout(timer);
      timer = startTimer();
    };
    const cancel = () => this.#port.postMessage({ id, ask: 'cancel' });
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting.set(id, { settle: resolve, restart });
    this.#port.postMessage({ ...question, id }, question.ask === 'open' ? [question.bytes] : []);
    const answer = await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    this.#waiting.delete(id);
    return answer;
  }

  /** Ends the frame, its worker and all that they hold. */
  close(): void {
    this.#frame.remove();
    this.#port.close();
    for (const { settle } of this.#waiting.values()) settle({ fault: 'closed' });
  }

  #receive({ id, found, fault, file }: Said): void {
    if (typeof id !== 'number') return;
    if (typeof file === 'string') void this.#give(id, file);
    else this.#waiting.get(id)?.settle(fault === undefined ? { found } : { fault: asFault(fault) });
  }

  async #give(id: number, file: string): Promise<void> {
    const bytes = PDFJS_FILE.test(file) ? await fetchBytes(`/sandbox/pdfjs/${file}`) : null;
    // The time of our network is not that of the page.
    for (const { restart } of this.#waiting.values()) restart();
    this.#port.postMessage({ id, ask: 'file', bytes }, bytes ? [bytes] : []);
  }
}

async function fetchBytes(path: string): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(path, { credentials: 'omit' });
    return response.ok ? await response.arrayBuffer() : null;
  } catch {
    return null;
  }
}

function asFault(value: unknown): PdfFault {
  return value === 'encrypted' || value === 'heavy' ? value : 'broken';
}
