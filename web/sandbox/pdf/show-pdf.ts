import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  type RenderTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerSource from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url';
import { replaceRadicals } from '#contract/message/radicals.ts';
import { askForFile, takeFile } from './ask-for-file.ts';
import { canvasesOf, PageMemory, PageTooHeavy, type WorkerMessage } from './page-memory.ts';

/** What the chat asks; see `web/features/chat/pdf/pdf-frame.ts`. Pages count from 1, pixels are those of the canvas. */
type Question =
  | { id: number; ask: 'open'; bytes: ArrayBuffer }
  | { id: number; ask: 'sizes' }
  | { id: number; ask: 'text'; page: number }
  | { id: number; ask: 'draw'; page: number; width: number; height: number }
  | { id: number; ask: 'cancel' }
  | { id: number; ask: 'file'; bytes: ArrayBuffer | null };

/** A picture with more pixels is left out of its page: what it unpacks to has four bytes for each. A4 at 600 dpi has 35 million. */
const MAX_PICTURE_PIXELS = 36_000_000;
/** A larger one is scaled down, in bytes. To scale takes more at a time than photographs of 16 million pixels do as they are. */
const MAX_KEPT_PICTURE = 16_000_000 * 4;

const memory = new PageMemory();
const drawings = new Map<number, RenderTask>();
let opened: Promise<PDFDocumentProxy> | null = null;

// pdfjs draws a slice of a page in each animation frame. A frame out of sight is given none, and few timers: it gets messages.
const slices = new Map<number, FrameRequestCallback>();
const { port1: next, port2: asked } = new MessageChannel();
let lastSlice = 0;
next.onmessage = ({ data }: MessageEvent<number>) => {
  const draw = slices.get(data);
  slices.delete(data);
  draw?.(performance.now());
};
globalThis.requestAnimationFrame = (draw) => {
  lastSlice += 1;
  slices.set(lastSlice, draw);
  asked.postMessage(lastSlice);
  return lastSlice;
};
globalThis.cancelAnimationFrame = (handle) => slices.delete(handle);

addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<unknown>) => {
  if (source !== parent || data !== 'pdf' || !port) return;
  port.onmessage = ({ data: question }: MessageEvent<Question>) => void answer(port, question);
});

async function answer(port: MessagePort, question: Question): Promise<void> {
  const { id } = question;
  if (question.ask === 'file') return takeFile(id, question.bytes);
  if (question.ask === 'cancel') return drawings.get(id)?.cancel();
  try {
    const found = await find(port, question);
    port.postMessage({ id, found }, found instanceof ImageBitmap ? [found] : []);
  } catch (fault) {
    port.postMessage({ id, fault: nameFault(fault) });
  }
}

function nameFault(fault: unknown): 'heavy' | 'encrypted' | 'broken' {
  if (fault instanceof PageTooHeavy) return 'heavy';
  return fault instanceof Error && fault.name === 'PasswordException' ? 'encrypted' : 'broken';
}

async function find(port: MessagePort, question: Exclude<Question, { ask: 'file' | 'cancel' }>) {
  if (question.ask === 'open') {
    opened = open(port, question.bytes);
    const { numPages } = await opened;
    return { pages: numPages, first: sizeOf(await (await opened).getPage(1)) };
  }
  const pdf = await opened;
  if (!pdf) throw new Error('no PDF was opened');
  if (question.ask === 'sizes') return listSizes(pdf);
  const page = await pdf.getPage(question.page);
  return memory.within<string | ImageBitmap>(() =>
    question.ask === 'text' ? readText(page) : draw(page, question),
  );
}

/**
 * Nothing is fetched from here: CMaps and fonts come by the chat, which asks our server alone for them. XFA forms are off, and what
 * annotations would do is not even looked at: only how they look is drawn.
 */
async function open(port: MessagePort, bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data: bytes,
    worker: PDFWorker.create({ port: await startWorker() }),
    BinaryDataFactory: askForFile(port),
    CanvasFactory: canvasesOf(memory),
    useWorkerFetch: false,
    useWasm: false,
    wasmUrl: new URL('/sandbox/pdfjs/wasm/', location.href).href,
    maxImageSize: MAX_PICTURE_PIXELS,
    canvasMaxAreaInBytes: MAX_KEPT_PICTURE,
    disableWorkerRendering: true,
    enableXfa: false,
    verbosity: 0,
  }).promise;
}

/** A frame without an origin may start a worker from a blob alone, and in Chromium no module: its script is one line that loads ours. */
async function startWorker(): Promise<Worker> {
  const address = new URL(workerSource, location.href).href;
  const script = new Blob([`importScripts(${JSON.stringify(address)});`], { type: 'text/javascript' });
  const worker = new Worker(URL.createObjectURL(script));
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => memory.countMessage(data));
  await new Promise((ready, failed) => {
    worker.addEventListener('message', ready, { once: true });
    worker.addEventListener('error', failed, { once: true });
  });
  return worker;
}

function sizeOf(page: PDFPageProxy): { width: number; height: number } {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

async function listSizes(pdf: PDFDocumentProxy) {
  const sizes = [];
  for (let page = 1; page <= pdf.numPages; page += 1)
    sizes.push(await pdf.getPage(page).then(sizeOf, () => null));
  return sizes;
}

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  return replaceRadicals(text);
}

async function draw(
  page: PDFPageProxy,
  { id, width, height }: Extract<Question, { ask: 'draw' }>,
): Promise<ImageBitmap> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const full = page.getViewport({ scale: 1 });
  const scale = Math.min(width / full.width, height / full.height);
  const drawing = page.render({ canvas, viewport: page.getViewport({ scale }) });
  drawings.set(id, drawing);
  try {
    await drawing.promise;
    return await createImageBitmap(canvas);
  } finally {
    drawings.delete(id);
    page.cleanup();
    Object.assign(canvas, { width: 0, height: 0 });
  }
}
