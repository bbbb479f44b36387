const KEY = 'session-renewed';
/** As long as a way to Google and back may take. */
const WINDOW_MS = 10 * 60_000;
/** How long another tab's new cookie may be on its way. */
const RENEWED_MS = 500;

/** Notes, for every tab, that the session is about to get another cookie: what is under way with the former one will be refused. */
export function noteRenewal(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Storage may be forbidden; then such a request fails, and can be made again.
  }
}

/**
 * Whether a request may have been refused only because it was sent with the former cookie; then the next one is to be sent once this
 * resolves.
 */
export async function awaitRenewal(): Promise<boolean> {
  if (!wasRenewed()) return false;
  await new Promise((resolve) => setTimeout(resolve, RENEWED_MS));
  return true;
}

function wasRenewed(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(KEY)) < WINDOW_MS;
  } catch {
    return false;
  }
}
