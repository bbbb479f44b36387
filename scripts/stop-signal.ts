export interface StopRequests {
  /** Settles at the first request. */
  first: Promise<null>;
  /** Settles at a request made a second or more after the first: the server is to stop at once. */
  again: Promise<void>;
  /** Whether there has been one. */
  received(): boolean;
}

/**
 * Listens for requests to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP, and the death of the program that started this one.
 * One request often arrives several times at once (from the terminal, and forwarded by npm): that counts as one.
 */
export function listenForStop(): StopRequests {
  const first = Promise.withResolvers<null>();
  const again = Promise.withResolvers<void>();
  let since: number | null = null;
  const request = () => {
    if (since !== null && performance.now() - since >= 1000) again.resolve();
    since ??= performance.now();
    first.resolve(null);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  process.on('disconnect', request);
  process.channel?.unref();
  return { first: first.promise, again: again.promise, received: () => since !== null };
}
