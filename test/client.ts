import { randomUUID } from 'node:crypto';

export interface ClientOptions {
  url: string;
  /** Sent as `Origin` with changes; null sends none. */
  origin: string | null;
  /** The `Cookie` header to begin with. */
  cookie?: string;
  headers?: Record<string, string>;
  /** How a request gets there; over HTTP without it. */
  send?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A browser's way of calling the server over HTTP: it keeps cookies and names its origin. */
export interface TestClient {
  /** Cookies it has now, as a `Cookie` header. */
  readonly cookie: string;
  /** Any request, relative to the server. */
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  /** Sends `body` as JSON; without one, a request without a body. */
  post(path: string, body?: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
  /** Signs up with a new address unless one is given; throws unless that succeeds. */
  signUp(account?: { email?: string; password?: string; rememberMe?: boolean }): Promise<SignedUp>;
}

export interface SignedUp {
  userId: string;
  email: string;
  password: string;
}

/** Makes a client without cookies but those given. */
export function createClient(options: ClientOptions): TestClient {
  const { url, origin, cookie = '', headers = {}, send: transport = fetch } = options;
  const jar = new Map(cookie === '' ? [] : cookie.split('; ').map((pair) => splitCookie(pair)));
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function request(path: string, init: RequestInit = {}) {
    const sent = new Headers({ ...headers, ...Object.fromEntries(new Headers(init.headers)) });
    if (jar.size > 0 && !sent.has('cookie')) sent.set('cookie', header());
    if (origin !== null && !sent.has('origin') && (init.method ?? 'GET') !== 'GET')
      sent.set('origin', origin);
    const response = await transport(url + path, { redirect: 'manual', ...init, headers: sent });
    for (const set of response.headers.getSetCookie()) keep(jar, set);
    return response;
  }

  const send = (method: string) => (path: string, body?: unknown) => {
    const json =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return request(path, { method, ...json });
  };
  const post = send('POST');

  return {
    get cookie() {
      return header();
    },
    request,
    get: (path) => request(path),
    post,
    patch: send('PATCH'),
    delete: (path) => request(path, { method: 'DELETE' }),
    async signUp(account = {}) {
      const email = account.email ?? `${randomUUID()}@example.test`;
      const password = account.password ?? 'correct horse';
      const response = await post('/api/auth/sign-up/email', { ...account, email, password });
      if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
      const { user } = (await response.json()) as { user: { id: string } };
      return { userId: user.id, email, password };
    },
  };
}

function splitCookie(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function keep(jar: Map<string, string>, set: string) {
  const [pair = '', ...attributes] = set.split('; ');
  const [name, value] = splitCookie(pair);
  if (attributes.includes('Max-Age=0')) jar.delete(name);
  else jar.set(name, value);
}
