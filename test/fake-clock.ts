import type { Clock } from '#server/platform/clock.ts';

/** A clock that runs like the real one, as far away from it as it was moved; the database is given its time. */
export class FakeClock implements Clock {
  #offsetMs: number;

  /** @param begin what it shows now; the real time without it */
  constructor(begin: number = Date.now()) {
    this.#offsetMs = begin - Date.now();
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  databaseTime(): Date {
    return this.now();
  }

  /** Forward only, as time goes. */
  moveTo(ms: number) {
    this.#offsetMs = Math.max(this.#offsetMs, ms - Date.now());
  }
}

/** What of a payment emulator's control moves its time. */
interface EmulatedTime {
  nextDue(): Promise<number | null>;
  moveTo(ms: number): Promise<unknown>;
}

/**
 * Moves the product's clock and the providers' together to `target`. It stops wherever a provider has something to do, so that
 * what happens then is told at its time; `settle` is awaited at each stop.
 */
export async function moveTime(
  clock: FakeClock,
  worlds: readonly EmulatedTime[],
  target: number,
  settle: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (let at = 0; at < target; ) {
    const due = await Promise.all(worlds.map(async (world) => (await world.nextDue()) ?? target));
    at = Math.min(target, ...due);
    clock.moveTo(at);
    for (const world of worlds) await world.moveTo(at);
    await settle();
  }
}
