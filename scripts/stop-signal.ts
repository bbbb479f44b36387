/**
 * Settles when this program is asked to stop: by SIGINT (Ctrl-C), SIGTERM, SIGHUP, or the death of the program that started it.
 * The same request often arrives several times (from the terminal, and forwarded by npm); later ones change nothing.
 */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    process.on('disconnect', () => resolve());
    process.channel?.unref();
  });
}
