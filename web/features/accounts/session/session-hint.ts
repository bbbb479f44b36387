const KEY = 'session';

/** Was somebody signed in here when the session was last read. */
export function isSessionExpected(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Keeps whether somebody is signed in, so that the next page neither shows the way in first nor asks in vain. */
export function rememberSession(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(KEY, 'expected');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be forbidden; then the next page shows the way in for a moment.
  }
}
