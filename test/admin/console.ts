import { randomUUID } from 'node:crypto';
import type { Act, ActOutcome } from '#contract/admin/acts.ts';
import type { TestClient } from '../client.ts';

/** What a route of the console answers; throws unless it succeeds. */
export async function read<T>(client: TestClient, path: string): Promise<T> {
  const response = await client.get(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** What became of an act or a decision. */
export interface Answer {
  status: number;
  state?: ActOutcome['state'];
  code?: string;
}

/** Sends JSON and reads what became of it. */
export async function send(client: TestClient, path: string, body: unknown): Promise<Answer> {
  const response = await client.post(path, body);
  const { state, error } = (await response.json()) as {
    state?: ActOutcome['state'];
    error?: { code: string };
  };
  return { status: response.status, ...(state ? { state } : {}), ...(error ? { code: error.code } : {}) };
}

/** Asks for an act, under a new id unless one is given. */
export const act = (client: TestClient, wanted: Act, id: string = randomUUID()) =>
  send(client, '/api/admin/acts', { id, reason: 'because', act: wanted });

/** Credits given for 30 days. */
export const giving = (credits: number, userId: string): Act => ({ act: 'grant', userId, credits, days: 30 });
