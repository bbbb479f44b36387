import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';

/** What the composer can do now. */
export type ComposerState = 'loading' | 'ready' | 'sending' | 'running' | 'paused' | 'unavailable';

interface Known {
  /** The message on its way to the server, and the answer being written on screen. */
  pending: Message | null;
  running: Message | undefined;
  loaded: 'loading' | 'ready' | 'missing' | 'failed';
  /** The model that answers; undefined while not known. */
  model: CatalogueModel | undefined;
  isPaused: boolean;
}

/** Whether a model can be asked now, by whoever may use it. */
export function canAnswer({ missingSetting, paused }: CatalogueModel): boolean {
  return missingSetting === null && !paused;
}

/** What the composer can do with what is known of the conversation on screen. */
export function composerState({ pending, running, loaded, model, isPaused }: Known): ComposerState {
  if (pending) return 'sending';
  if (running) return 'running';
  if (isPaused) return 'paused';
  if (loaded === 'loading' || (loaded === 'ready' && !model)) return 'loading';
  return loaded === 'ready' && model && canAnswer(model) ? 'ready' : 'unavailable';
}
