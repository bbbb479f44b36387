import type { Deps } from '#server/deps.ts';

interface Look<T> {
  answer: Promise<T>;
  stop: AbortController;
  readers: number;
}

/**
 * Makes a long look through a database one for all who ask while it goes on in this process: they get the same answer. When the last
 * of them has gone, as their signals say, the signal that `look` has is aborted, and what it gives then is dropped.
 */
export function readTogether<D extends Pick<Deps, 'database'>, T>(
  look: (deps: D, signal: AbortSignal) => Promise<T>,
): (deps: D, gone: AbortSignal) => Promise<T> {
  const looks = new WeakMap<Deps['database'], Look<T>>();

  function begin(deps: D): Look<T> {
    const stop = new AbortController();
    const begun: Look<T> = { answer: look(deps, stop.signal), stop, readers: 0 };
    const end = () => {
      if (looks.get(deps.database) === begun) looks.delete(deps.database);
    };
    looks.set(deps.database, begun);
    stop.signal.addEventListener('abort', end);
    void begun.answer.then(end, end);
    return begun;
  }

  return (deps, gone) => {
    const shared = looks.get(deps.database) ?? begin(deps);
    shared.readers += 1;
    const leave = () => {
      shared.readers -= 1;
      if (shared.readers === 0) shared.stop.abort();
    };
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    return shared.answer.finally(() => gone.removeEventListener('abort', leave));
  };
}
