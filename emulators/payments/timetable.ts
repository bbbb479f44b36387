import type { MovableClock } from './movable-clock.ts';

/** Something that has acts to do at times. */
export interface Agenda {
  /** When its next act is due; null when there is none. */
  nextDue(): number | null;
  /** Does that act; `clock.now()` is then the time it was due. */
  runNext(): Promise<void>;
}

const MAX_NAP_MS = 60_000;
const OVERDUE_MS = 5_000;

/** Does the acts of all agendas in the order of their times, on the wall clock and when the clock is moved. */
export class Timetable {
  readonly #clock: MovableClock;
  readonly #agendas: Agenda[];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(clock: MovableClock, agendas: Agenda[]) {
    this.#clock = clock;
    this.#agendas = agendas;
  }

  #earliest(): { agenda: Agenda; at: number } | null {
    const all = this.#agendas.map((agenda) => ({ agenda, at: agenda.nextDue() ?? Number.POSITIVE_INFINITY }));
    const first = all.reduce((best, each) => (each.at < best.at ? each : best));
    return Number.isFinite(first.at) ? first : null;
  }

  /** When the next act of any agenda is due; null when there is none. */
  nextDue(): number | null {
    return this.#earliest()?.at ?? null;
  }

  /** Looks at the agendas again, after one of them got something to do. */
  wake() {
    if (this.#closed) return;
    if (this.#timer) clearTimeout(this.#timer);
    const first = this.#earliest();
    const nap = first ? Math.max(0, first.at - this.#clock.now()) : MAX_NAP_MS;
    this.#timer = setTimeout(() => void this.#catchUp(), Math.min(nap, MAX_NAP_MS));
    this.#timer.unref();
  }

  #catchUp(): Promise<void> {
    this.#running = this.#running.then(async () => {
      await this.#runUntil(this.#clock.now(), OVERDUE_MS);
      this.#clock.release(null);
    });
    return this.#running.finally(() => this.wake());
  }

  /** Moves the clock to `ms`, doing on the way all that falls due; the past cannot be reached. */
  moveTo(ms: number): Promise<void> {
    this.#running = this.#running.then(async () => {
      const target = Math.max(ms, this.#clock.now());
      await this.#runUntil(target, 0);
      this.#clock.release(target);
    });
    return this.#running.finally(() => this.wake());
  }

  /** What is late by `heldFromMs` or more is done at the time it was due. */
  async #runUntil(target: number, heldFromMs: number) {
    for (
      let first = this.#earliest();
      first && first.at <= target && !this.#closed;
      first = this.#earliest()
    ) {
      if (this.#clock.now() - first.at >= heldFromMs || heldFromMs === 0) this.#clock.hold(first.at);
      else this.#clock.release(null);
      await first.agenda.runNext();
    }
  }

  close() {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
