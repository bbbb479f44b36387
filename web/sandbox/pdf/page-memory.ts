/** What is looked at in the messages of pdfjs's worker. */
export interface WorkerMessage {
  chunk?: { argsArray?: readonly (readonly unknown[] | null)[]; items?: readonly unknown[] };
  data?: unknown;
}

/** What a page needs more than `PageMemory` gives it. */
export class PageTooHeavy extends Error {
  constructor() {
    super('page too heavy');
    this.name = 'PageTooHeavy';
  }
}

const MAX_BYTES = 320 * 1_048_576;
/** About what an operation of a page or a piece of text takes, and each array of numbers in one, as was measured with nested forms. */
const OPERATION_BYTES = 128;
const NUMBERS_BYTES = 700;

function bytesOf(piece: unknown): number {
  const numbers = Array.isArray(piece) ? piece.flat().filter(ArrayBuffer.isView).length : 0;
  return OPERATION_BYTES + numbers * NUMBERS_BYTES;
}

/**
 * Counts what one page takes at a time: canvases alive, unpacked pictures and operations. pdfjs bounds each picture, and neither
 * how many there are nor how deep groups and forms lie in each other.
 */
export class PageMemory {
  readonly #canvases = new Map<HTMLCanvasElement, number>();
  #bytes = 0;
  #refuse = (_error: PageTooHeavy) => {};

  /** Does the work of one page, and frees the canvases that it left. Throws `PageTooHeavy` as soon as it takes too much. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#refuse = reject;
    this.#bytes = 0;
    try {
      return await Promise.race([work(), promise]);
    } finally {
      for (const canvas of [...this.#canvases.keys()]) this.freeCanvas(canvas);
    }
  }

  /** Counts what pdfjs's worker sends: pieces of a list of operations or texts, and a picture as the last part of its message. */
  countMessage({ chunk, data }: WorkerMessage): void {
    let bytes = 0;
    for (const piece of chunk?.argsArray ?? chunk?.items ?? []) bytes += bytesOf(piece);
    const picture = Array.isArray(data) ? data.at(-1) : null;
    bytes += picture?.bitmap?.format ? picture.bitmap.allocationSize() : (picture?.dataLen ?? 0);
    this.#take(bytes);
  }

  /** Gives a canvas its size, in pixels. Throws `PageTooHeavy`. */
  sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): void {
    this.freeCanvas(canvas);
    const bytes = width * height * 4;
    if (!this.#take(bytes)) throw new PageTooHeavy();
    this.#canvases.set(canvas, bytes);
    Object.assign(canvas, { width, height });
  }

  freeCanvas(canvas: HTMLCanvasElement): void {
    this.#bytes -= this.#canvases.get(canvas) ?? 0;
    this.#canvases.delete(canvas);
    Object.assign(canvas, { width: 0, height: 0 });
  }

  #take(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_BYTES) return true;
    this.#refuse(new PageTooHeavy());
    return false;
  }
}

/** Makes the canvases of pdfjs (`CanvasFactory`), which count as the memory of a page. */
export function canvasesOf(memory: PageMemory) {
  const contextOf = (canvas: HTMLCanvasElement, settings?: CanvasRenderingContext2DSettings) =>
    canvas.getContext('2d', { ...settings, willReadFrequently: true });
  return class {
    create(width: number, height: number) {
      const canvas = document.createElement('canvas');
      memory.sizeCanvas(canvas, width, height);
      return { canvas, context: contextOf(canvas) };
    }

    reset({ canvas }: { canvas: HTMLCanvasElement }, width: number, height: number): void {
      memory.sizeCanvas(canvas, width, height);
    }

    destroy(entry: { canvas: HTMLCanvasElement | null; context: unknown }): void {
      if (entry.canvas) memory.freeCanvas(entry.canvas);
      Object.assign(entry, { canvas: null, context: null });
    }

    getNoAlphaContext(canvas: HTMLCanvasElement) {
      return contextOf(canvas, { alpha: false });
    }
  };
}
