import { setTimeout as wait } from 'node:timers/promises';
import { Faults, type WebhookFault } from './faults.ts';
import type { WebhookNews } from './happening.ts';
import type { MovableClock } from './movable-clock.ts';
import type { Agenda } from './timetable.ts';

/** One webhook under way, as it is sent again and again. */
export interface Delivery {
  eventId: string;
  type: string;
  body: string;
  createdAt: number;
  dueAt: number;
  /** Of each try: the status answered, 0 without an answer. */
  tries: number[];
  state: 'waiting' | 'delivered' | 'given-up' | 'dropped';
  isTampered: boolean;
}

export interface WebhookFormat {
  /** When it is tried again, in ms after the try before. */
  retryMs: readonly number[];
  /** The body of an event. */
  write(eventId: string, news: WebhookNews, createdAt: number): string;
  /** The headers that prove it, at the time of a try. */
  sign(body: string, secret: string, at: number): Record<string, string>;
  newEventId(): string;
}

const KEPT = 2_000;
/** Assumed: how long they wait for an answer is not documented. */
const DELIVERY_TIMEOUT_MS = 10_000;

/** Sends the webhooks of one provider on its schedule, one after the other, with what control wants to go wrong. */
export class Webhooks implements Agenda {
  url: string | null = null;
  secret: string | null = null;
  deliveries: Delivery[] = [];
  readonly faults = new Faults<WebhookFault>();
  readonly #format: WebhookFormat;
  readonly #clock: MovableClock;
  readonly #onChange: () => void;

  constructor(format: WebhookFormat, clock: MovableClock, onChange: () => void) {
    this.#format = format;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Queues the news of one act: all due at one moment, so that their order is the queue's. */
  send(all: WebhookNews[]) {
    const now = this.#clock.now();
    const deliveries = all.flatMap((news) => this.#deliveriesOf(news, now));
    const isReordered = this.faults.take(all[0]?.type ?? '', (fault) => fault === 'reorder') !== null;
    this.deliveries.push(...(isReordered ? deliveries.toReversed() : deliveries));
    this.deliveries = this.latest(KEPT);
    this.#onChange();
  }

  #deliveriesOf(news: WebhookNews, now: number): Delivery[] {
    const rule = this.faults.take(news.type, (fault) => fault !== 'reorder');
    const first = this.#delivery(news, now);
    const count = Number(rule?.params.count ?? 1);
    switch (rule?.what) {
      case 'drop':
        return [{ ...first, state: 'dropped' }];
      case 'tamper':
        return [{ ...first, isTampered: true }];
      case 'delay':
        return [{ ...first, dueAt: first.dueAt + Number(rule.params.ms ?? 60_000) }];
      case 'duplicate':
        return Array.from({ length: count + 1 }, () => ({ ...first, tries: [] }));
      case 'duplicate-new-id':
        return [first, ...Array.from({ length: count }, () => this.#delivery(news, now))];
      case 'unknown-type':
        return [first, this.#delivery({ ...news, type: 'subscription.hologram' }, now)];
      default:
        return [first];
    }
  }

  #delivery(news: WebhookNews, now: number): Delivery {
    const eventId = this.#format.newEventId();
    const body = this.#format.write(eventId, news, now);
    const hasEndpoint = this.url !== null || this.secret !== null;
    const state = hasEndpoint ? 'waiting' : 'dropped';
    return {
      eventId,
      type: news.type,
      body,
      createdAt: now,
      dueAt: now,
      tries: [],
      state,
      isTampered: false,
    };
  }

  #next(): Delivery | null {
    const waiting = this.deliveries.filter((each) => each.state === 'waiting');
    return waiting.reduce<Delivery | null>(
      (best, each) => (best && best.dueAt <= each.dueAt ? best : each),
      null,
    );
  }

  /** Without a target what waits goes on waiting. */
  nextDue(): number | null {
    return this.url === null ? null : (this.#next()?.dueAt ?? null);
  }

  async runNext() {
    const delivery = this.#next();
    if (!delivery) return;
    const status = await this.#post(delivery);
    delivery.tries.push(status);
    const pause = this.#format.retryMs[delivery.tries.length - 1];
    if (status === 200) delivery.state = 'delivered';
    else if (pause === undefined) delivery.state = 'given-up';
    else delivery.dueAt = this.#clock.now() + pause;
    this.#onChange();
  }

  async #post({ body, isTampered }: Delivery): Promise<number> {
    if (this.url === null) return 0;
    const at = this.#clock.now();
    const headers = { 'content-type': 'application/json', ...this.#format.sign(body, this.secret ?? '', at) };
    const sent = isTampered ? body.replace(/"object":\{/, '"object":{"tampered":true,') : body;
    try {
      const signal = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
      const response = await fetch(this.url, { method: 'POST', headers, body: sent, signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** All that waits, and of the rest the last `count`. */
  latest(count: number): Delivery[] {
    const from = this.deliveries.length - count;
    return from <= 0
      ? this.deliveries
      : this.deliveries.filter((each, index) => index >= from || each.state === 'waiting');
  }

  /** Sends again, as from the dashboard: one event, or all that never arrived. */
  resend(eventId: string | null) {
    for (const each of this.deliveries) {
      const isMeant = eventId === null ? each.state !== 'delivered' : each.eventId === eventId;
      if (!isMeant) continue;
      Object.assign(each, { state: 'waiting', dueAt: this.#clock.now(), tries: [], isTampered: false });
    }
    this.#onChange();
  }

  /** Settles when nothing is left to send now; rejects after `ms`. */
  async settled(ms: number) {
    const deadline = Date.now() + ms;
    while ((this.nextDue() ?? Number.POSITIVE_INFINITY) <= this.#clock.now()) {
      if (Date.now() > deadline) throw new Error('webhooks are still under way');
      await wait(5);
    }
  }
}
