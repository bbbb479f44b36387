import type { CustomAdapter } from 'better-auth/adapters';
import type { Clock } from '#server/platform/clock.ts';

/**
 * Lets better-auth live by `clock`, though it only knows the host's: every time it writes or asks for is moved to ours, and back
 * where it reads. The system's clock is the host's, and costs nothing.
 */
export function applyClock(adapter: CustomAdapter, clock: Clock): CustomAdapter {
  if (clock.databaseTime() === null) return adapter;
  const calls = Object.entries(adapter).map(([name, call]) => [
    name,
    async (given: unknown) => {
      const distance = clock.now().getTime() - Date.now();
      return moved(await call(moved(given, distance)), -distance);
    },
  ]);
  return Object.fromEntries(calls) as CustomAdapter;
}

/** A copy of what is no time, with every time in it moved by `ms`. */
function moved(value: unknown, ms: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + ms);
  if (Array.isArray(value)) return value.map((each) => moved(each, ms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, ms)]));
}
