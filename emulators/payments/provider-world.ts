import { setTimeout as sleep } from 'node:timers/promises';
import { type Emulator, type Handler, startHttpServer } from '../http-server.ts';
import type { Dialect } from './happening.ts';
import { emptyLedger, type Ledger, type Product } from './ledger.ts';
import { Merchant } from './merchant.ts';
import { MovableClock } from './movable-clock.ts';
import { StateFile } from './state-file.ts';
import { Timetable } from './timetable.ts';
import { type Delivery, type WebhookFormat, Webhooks } from './webhooks.ts';

export interface PaymentEmulatorOptions {
  port: number;
  /** Products that exist from the start; their ids are the caller's. */
  products?: readonly Omit<Product, 'createdAt'>[];
  /** Without a URL webhooks wait until control sets one. Null: none are made. */
  webhook?: { url: string | null; secret: string } | null;
  state?: StateFile;
}

interface Remembered {
  port: number;
  offsetMs: number;
  ledger: Ledger;
  deliveries: Delivery[];
}

const DELIVERIES_REMEMBERED = 200;
const PORT_TRIES = 20;
const PORT_PAUSE_MS = 50;

/** One provider with all its parts, wired together and restored from what was remembered. */
export class ProviderWorld {
  readonly clock = new MovableClock();
  readonly merchant: Merchant;
  readonly webhooks: Webhooks;
  readonly timetable: Timetable;
  readonly #state: StateFile;
  readonly #wantedPort: number;
  #port: number;

  constructor(
    name: string,
    dialectOf: (ledger: Ledger) => Dialect,
    format: WebhookFormat,
    options: PaymentEmulatorOptions,
  ) {
    this.#state = options.state ?? new StateFile(null);
    const remembered = this.#state.read(name) as Remembered | undefined;
    this.#wantedPort = options.port;
    this.#port = remembered?.port ?? 0;
    const ledger = remembered?.ledger ?? emptyLedger();
    const dialect = dialectOf(ledger);
    this.clock.offsetMs = remembered?.offsetMs ?? 0;
    this.webhooks = new Webhooks(format, this.clock, () => this.changed());
    this.webhooks.deliveries = remembered?.deliveries ?? [];
    this.webhooks.url = options.webhook?.url ?? null;
    this.webhooks.secret = options.webhook?.secret ?? null;
    this.merchant = new Merchant(ledger, this.clock, dialect.newId, (happening) =>
      this.webhooks.send(dialect.newsOf(happening)),
    );
    this.timetable = new Timetable(this.clock, [this.webhooks, this.merchant]);
    for (const product of options.products ?? []) this.putProduct(product);
    this.#state.keep(name, () => this.#remember());
    this.changed();
  }

  /** Adds a product, or changes the one with its id. */
  putProduct(product: Omit<Product, 'createdAt'>) {
    const { products } = this.merchant.ledger;
    const known = products.find((each) => each.id === product.id);
    if (known) Object.assign(known, product);
    else products.push({ ...product, createdAt: this.clock.now() });
  }

  #remember(): Remembered {
    const deliveries = this.webhooks.latest(DELIVERIES_REMEMBERED);
    return { port: this.#port, offsetMs: this.clock.offsetMs, ledger: this.merchant.ledger, deliveries };
  }

  /**
   * Listens on the port that was asked for. Without one on that of the last time, so that links to hosted pages outlive a
   * restart; on any other if it is still taken after a second.
   */
  async listen(handler: Handler): Promise<Emulator> {
    const server = (await this.#listenAgain(handler)) ?? (await startHttpServer(this.#wantedPort, handler));
    this.#port = Number(new URL(server.url).port);
    this.changed();
    const close = async () => {
      this.close();
      await server.close();
    };
    return { url: server.url, close };
  }

  async #listenAgain(handler: Handler): Promise<Emulator | null> {
    if (this.#wantedPort !== 0 || this.#port === 0) return null;
    for (let left = PORT_TRIES; left > 0; left -= 1) {
      try {
        return await startHttpServer(this.#port, handler);
      } catch {
        await sleep(PORT_PAUSE_MS);
      }
    }
    return null;
  }

  /** Something was changed from outside. */
  changed() {
    this.#state.touch();
    this.timetable?.wake();
  }

  close() {
    this.timetable.close();
    this.#state.flush();
  }
}
