/** `awake`: the page is on screen; `asleep`: it is hidden; `online`: the network came back, so old connections are suspect. */
export type WakeChange = 'awake' | 'asleep' | 'online';

/** Tells whether streams are worth holding open. */
export interface Wake {
  readonly awake: boolean;
  /** Reports every change until the function it gives back is called. */
  subscribe(listener: (change: WakeChange) => void): () => void;
}

/**
 * The browser's own page: asleep while hidden, because HTTP/1.1 allows six connections to one origin for all tabs together.
 * `navigator.onLine` is not asked: it is false on a machine that reaches only itself.
 */
export const pageWake: Wake = {
  get awake() {
    return document.visibilityState === 'visible';
  },
  subscribe(listener) {
    const onVisibility = () => listener(document.visibilityState === 'visible' ? 'awake' : 'asleep');
    const onOnline = () => listener('online');
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
    };
  },
};
