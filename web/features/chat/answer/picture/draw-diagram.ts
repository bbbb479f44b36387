import { orderFrame } from './sandbox-frame.ts';

/** A diagram as a picture that stands by itself; sizes in px. */
export interface DrawnDiagram {
  svg: string;
  width: number;
  height: number;
}

interface Answer extends Partial<DrawnDiagram> {
  id: number;
}

/** Longer sources are shown as they are written. */
const MAX_SOURCE = 20_000;
const DRAWING_TIMEOUT_MS = 15_000;
const KEPT = 50;

const drawn = new Map<string, Promise<DrawnDiagram | null>>();
const open = new Map<number, (answer: Answer | null) => void>();
let frame: HTMLIFrameElement | null = null;
let isReady = false;
let waiting: unknown[] = [];
let lastId = 0;

/**
 * Draws a Mermaid diagram in one sandboxed frame for all of them; null where it is no diagram that Mermaid knows, or takes too
 * long. What was drawn lately is kept; what took too long is tried again.
 */
export function drawDiagram(source: string, dark: boolean): Promise<DrawnDiagram | null> {
  const key = `${dark ? 'dark' : 'light'}\n${source}`;
  const kept = drawn.get(key);
  if (kept) return kept;
  const drawing =
    source.length > MAX_SOURCE ? Promise.resolve(null) : order(source, dark, () => drawn.delete(key));
  drawn.set(key, drawing);
  for (const [oldest] of drawn) if (drawn.size > KEPT) drawn.delete(oldest);
  return drawing;
}

async function order(source: string, dark: boolean, onLate: () => void): Promise<DrawnDiagram | null> {
  lastId += 1;
  const id = lastId;
  const answer = await new Promise<Answer | null>((resolve) => {
    open.set(id, resolve);
    send({ id, source, dark });
    setTimeout(giveUp, DRAWING_TIMEOUT_MS, id);
  });
  open.delete(id);
  if (answer === null) onLate();
  const { svg, width, height } = answer ?? {};
  const isWhole = typeof svg === 'string' && typeof width === 'number' && typeof height === 'number';
  return isWhole && width > 0 && height > 0 ? { svg, width, height } : null;
}

function send(message: unknown): void {
  if (frame && isReady) frame.contentWindow?.postMessage(message, '*');
  else waiting.push(message);
  if (frame) return;
  frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.className = 'drawing-frame';
  frame.src = '/sandbox/diagram';
  orderFrame(frame, null, receive);
  document.body.append(frame);
}

function receive(data: unknown): void {
  if (data === 'ready') {
    isReady = true;
    for (const message of waiting) frame?.contentWindow?.postMessage(message, '*');
    waiting = [];
  } else open.get((data as Answer).id)?.(data as Answer);
}

/** A frame that does not answer is thrown away with all that it was asked; the next diagram gets a new one. */
function giveUp(id: number): void {
  if (!open.has(id)) return;
  frame?.remove();
  frame = null;
  isReady = false;
  waiting = [];
  for (const resolve of open.values()) resolve(null);
}
