import type { Solve } from '../solve.ts';
import { CLICKING } from './clicking.ts';
import { DRAGGING } from './dragging.ts';
import { TYPING } from './typing.ts';

/** How each task is solved, by the name of its page. */
export const TASKS: Record<string, Solve> = { ...CLICKING, ...TYPING, ...DRAGGING };

/** What no model can do that looks at a picture and then acts, each with the reason. */
export const IMPOSSIBLE: Record<string, string> = {
  'chase-circle': 'the mouse must follow a circle without pause; between two actions lies a picture',
  'hover-shape': 'has no end: the page never rewards it',
  'moving-items': 'circles cross the window in 3.5 seconds, quicker than a picture, an answer and an action',
  'simon-says': 'shows its sequence once, at the start, before the first picture',
  'stock-market': 'the price changes every 0.1 seconds',
};
