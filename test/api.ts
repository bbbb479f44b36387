import OpenAI from 'openai';
import type { CreatedKey, CreateKey } from '#contract/keys.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';

/** Makes a key for a signed-in user; throws unless that succeeds. */
export async function makeKey(client: TestClient, over: Partial<CreateKey> = {}): Promise<CreatedKey> {
  const response = await client.post('/api/keys', { name: 'My script', ...over });
  if (response.status !== 201) throw new Error(`making a key answered ${response.status}`);
  return (await response.json()) as CreatedKey;
}

/** OpenAI's own client on a server of ours; it retries only when asked to. */
export function openaiClient(app: Pick<TestApp, 'url'>, key: string, maxRetries = 0): OpenAI {
  return new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries });
}

/** A new user with a key and OpenAI's client for it. */
export async function apiUser(app: TestApp, over: Partial<CreateKey> = {}) {
  const user = await app.signedIn();
  const made = await makeKey(user, over);
  return { user, key: made.key, keyId: made.id, client: openaiClient(app, made.key) };
}
