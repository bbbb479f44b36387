const RETRY_DELAYS_MS = [500, 2_000, 5_000];

/**
 * Fetches what exchanges are drawn with, which a new conversation begins without; tries again a few times on a bad line. Where it does
 * not come, drawing them fails: the crash page says so.
 */
export async function loadTurns(): Promise<Pick<typeof import('./turns.tsx'), 'Turns'>> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await import('./turns.tsx');
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return import('./turns.tsx').catch((error: unknown) => ({
    Turns() {
      throw error;
    },
  }));
}
