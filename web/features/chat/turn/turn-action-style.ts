/** A small thing that can be done with an exchange. */
export const TURN_ACTION =
  'inline-flex min-h-8 min-w-8 items-center justify-center gap-1.5 rounded-control px-1.5 text-soft hover:bg-sunken hover:text-ink disabled:opacity-40 disabled:hover:bg-transparent pointer-coarse:min-h-11 pointer-coarse:min-w-10';

/** A way on beneath an answer, with its price. */
export const TURN_BUTTON =
  'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 text-ink hover:bg-sunken pointer-coarse:min-h-11 print:hidden';

/** Shown when the exchange is pointed at or has the focus; always where there is no pointer. */
export const QUIET =
  'pointer-fine:opacity-0 focus-visible:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 aria-expanded:opacity-100 transition-opacity';
