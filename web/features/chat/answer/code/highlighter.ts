import type { CodeToken } from './read-tokens.ts';

/** The lines of one chunk of code, as tokens. */
export type ColouredLines = readonly (readonly CodeToken[])[];

export interface HighlightOrder {
  id: number;
  language: string;
  code: string;
}

export interface HighlightAnswer {
  id: number;
  /** Which chunk, from 0. */
  place: number;
  lines: ColouredLines;
  /** Nothing further comes; this one is empty. */
  last: boolean;
}

type Listener = (answer: HighlightAnswer) => void;

/** Code beyond this is shown in one colour. */
const MAX_CODE = 300_000;
/** A longer line is not coloured: no reader reads it. */
const MAX_LINE = 5_000;
/** A grammar that takes longer is taken for stuck. */
const WORKER_TIMEOUT_MS = 10_000;

const listeners = new Map<number, Listener>();
let worker: Worker | null = null;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Has code coloured by a worker; `onChunk` receives the chunks as they come, none where the language is unknown or the code too long. The
 * function it returns ends the calls.
 */
export function highlight(language: string, code: string, onChunk: Listener): () => void {
  if (code.length > MAX_CODE || isPacked(code)) return () => {};
  lastId += 1;
  const id = lastId;
  listeners.set(id, onChunk);
  worker ??= startWorker();
  worker.postMessage({ id, language, code } satisfies HighlightOrder);
  timer ??= setTimeout(giveUp, WORKER_TIMEOUT_MS);
  return () => listeners.delete(id);
}

function isPacked(code: string): boolean {
  return new RegExp(`.{${MAX_LINE}}`).test(code);
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    clearTimeout(timer);
    timer = undefined;
    if (data.last) listeners.delete(data.id);
    else listeners.get(data.id)?.(data);
    if (listeners.size > 0) timer = setTimeout(giveUp, WORKER_TIMEOUT_MS);
  });
  started.addEventListener('error', giveUp);
  return started;
}

/** What was not answered stays in one colour; the next order starts anew. */
function giveUp(): void {
  clearTimeout(timer);
  timer = undefined;
  listeners.clear();
  worker?.terminate();
  worker = null;
}
