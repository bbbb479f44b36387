/** How long a test waits for what must come. It costs nothing where that comes quickly, and a busy machine may take long. */
export const WAIT_TIMEOUT_MS = 45_000;

/**
 * For `vi.waitFor`, which gives up after a second by itself; `expect.poll` has this patience by default. A look is a request, and many
 * tests look at once: ten a second are enough.
 */
export const PATIENT = { timeout: WAIT_TIMEOUT_MS, interval: 100 };
