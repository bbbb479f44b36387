import type { Bus } from '#server/platform/database/bus.ts';
import { publishSignedOut } from './live-sessions.ts';

/** The topic on which API keys that were revoked together are published. */
export const KEYS_TOPIC = 'revoked-keys';

/** Ways in that a transaction has ended. */
export interface AccessEnd {
  /** Ids; null: every session of the user. */
  sessions: string[] | null;
  /** Ids of API keys. */
  keys: string[];
}

/** Signs the browsers out, ends their streams and stops the requests of the keys, in every process. To be called after the commit. */
export function publishAccessEnd(bus: Bus, userId: string, { sessions, keys }: AccessEnd): void {
  if (sessions === null) publishSignedOut(bus, userId, null);
  else for (const id of sessions) publishSignedOut(bus, userId, id);
  if (keys.length > 0) bus.publish(KEYS_TOPIC, { userId, keys });
}
