/** From here on there is room beside the conversation: `--breakpoint-nav` of the tokens. */
const WIDE = '(min-width: 60rem)';

/** Whether there is room for the list beside the conversation. */
export function isWide(): boolean {
  return matchMedia(WIDE).matches;
}

/** Tells of changes until the returned function is called. */
export function subscribeWide(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
