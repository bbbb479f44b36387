import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Has everything under a key read again, because something of it has changed. What is just being read is read anew as well: its
 * answer may be older than the change. (`invalidateQueries` alone lets a first reading go on.)
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}

/** The same where something under the key is being read at this moment; for what is written into the cache by its key. */
export function readAgainIfReading(client: QueryClient, queryKey: QueryKey): void {
  if (client.isFetching({ queryKey }) > 0) void readAgain(client, queryKey);
}
