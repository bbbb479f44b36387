import { startGoogleEmulator } from '#emulators/google/google-emulator.ts';
import type { GoogleFault } from '#emulators/google/google-faults.ts';
import { CLIENT } from '#emulators/google/registered-client.ts';
import type { TestClient } from '../client.ts';

/**
 * Whom a person says to be at Google: an address, whether Google vouches for it, and whether the mailbox is Google's too; null turns
 * back.
 */
export type Choice = { email: string; name?: string; verified?: boolean; hosted?: boolean } | null;

/** Google for a test, by its emulator, and a person who walks there and back as a browser does. */
export async function startGoogle() {
  const emulator = await startGoogleEmulator({ port: 0 });
  const control = `${emulator.url}/__control`;

  /** Goes to Google and chooses; returns the path and query on which Google sends the browser back. */
  async function visit(location: string, choice: Choice): Promise<string> {
    const jar = new Map<string, string>();
    let next = location;
    for (let steps = 0; next.startsWith(emulator.url); steps += 1) {
      if (steps > 10) throw new Error(`Google does not let go: ${next}`);
      const isChooser = new URL(next).pathname.startsWith('/interaction/');
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
        ...(isChooser ? { method: 'POST', body: formOf(choice) } : {}),
      });
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const target = response.headers.get('location');
      if (!target) throw new Error(`Google answered ${response.status}: ${await response.text()}`);
      next = new URL(target, next).href;
    }
    const { pathname, search } = new URL(next);
    return pathname + search;
  }

  /** Starts a flow in `client` and chooses at Google; the callback is not asked for yet. */
  async function leave(client: TestClient, query: Record<string, string>, choice: Choice): Promise<string> {
    const start = await client.get(
      `/api/auth/google/start?${new URLSearchParams({ mode: 'redirect', ...query })}`,
    );
    return visit(start.headers.get('location') ?? '', choice);
  }

  return {
    url: emulator.url,
    settings: {
      GOOGLE_ISSUER: emulator.url,
      GOOGLE_CLIENT_ID: CLIENT.id,
      GOOGLE_CLIENT_SECRET: CLIENT.secret,
    },
    leave,
    /** The whole way; returns where the browser lands. */
    async signIn(client: TestClient, choice: Choice, query: Record<string, string> = {}): Promise<string> {
      const back = await client.get(await leave(client, query, choice));
      return back.headers.get('location') ?? '';
    },
    async fail(kind: GoogleFault, ms?: number): Promise<void> {
      const body = JSON.stringify({ kind, ms });
      const response = await fetch(`${control}/fault`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    },
    close: () => emulator.close(),
  };
}

function formOf(choice: Choice): URLSearchParams {
  if (choice === null) return new URLSearchParams({ act: 'cancel' });
  const { email, name = '', verified = true, hosted = true } = choice;
  const mailbox = hosted ? 'google' : 'elsewhere';
  return new URLSearchParams({ act: 'enter', email, name, verified: String(verified), mailbox });
}
