import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, readJson } from '../http-server.ts';
import { readCard } from './cards.ts';
import { type ApiFault, Faults, isWebhookFault } from './faults.ts';
import { findById, type Product } from './ledger.ts';
import type { ProviderWorld } from './provider-world.ts';

type Body = Record<string, unknown>;

const text = (body: Body, name: string) => (typeof body[name] === 'string' ? String(body[name]) : null);
const amount = (body: Body) => (body.amountMinor === undefined ? null : Number(body.amountMinor));

function readTarget(body: Body, now: number): number {
  if (typeof body.to === 'string' || typeof body.to === 'number') return new Date(body.to).getTime();
  const days = Number(body.days ?? 0);
  return now + days * 86_400_000 + Number(body.ms ?? 0);
}

/** The control API of a payment emulator, under `/__control`; see emulators/README.md. */
export class PaymentControl {
  readonly apiFaults = new Faults<ApiFault>();
  readonly #world: ProviderWorld;
  readonly #actions: Record<string, (body: Body) => unknown>;

  constructor(world: ProviderWorld) {
    this.#world = world;
    this.#actions = { ...this.#readings(), ...this.#acts(), ...this.#settings() };
  }

  #readings(): Record<string, (body: Body) => unknown> {
    const { merchant, webhooks, clock, timetable } = this.#world;
    return {
      'GET /__control/clock': () => ({ now: clock.now(), nextDue: timetable.nextDue() }),
      'GET /__control/ledger': () => merchant.ledger,
      'GET /__control/webhooks': () => webhooks.deliveries,
      'POST /__control/settle': async (body) => {
        await webhooks.settled(Number(body.ms ?? 5_000));
        return webhooks.deliveries;
      },
    };
  }

  #acts(): Record<string, (body: Body) => unknown> {
    const { merchant, clock, timetable, webhooks } = this.#world;
    return {
      'POST /__control/clock': async (body) => {
        const target = readTarget(body, clock.now());
        if (!Number.isFinite(target)) throw new Error('no such time');
        await timetable.moveTo(target);
        return { now: clock.now() };
      },
      'POST /__control/pay': (body) => ({
        refused: merchant.pay(
          text(body, 'checkout') ?? '',
          readCard(text(body, 'card') ?? '4242424242424242'),
          text(body, 'email') ?? 'buyer@example.test',
        ),
      }),
      'POST /__control/abandon': (body) => merchant.abandon(text(body, 'checkout') ?? ''),
      'POST /__control/cancel': (body) =>
        body.when === 'period_end'
          ? merchant.scheduleEnd(text(body, 'subscription') ?? '')
          : merchant.end(text(body, 'subscription') ?? ''),
      'POST /__control/resume': (body) => merchant.resume(text(body, 'subscription') ?? ''),
      'POST /__control/pause': (body) => merchant.pause(text(body, 'subscription') ?? ''),
      'POST /__control/refund': (body) => merchant.refund(text(body, 'transaction') ?? '', amount(body)),
      'POST /__control/charge': (body) => merchant.chargeAgain(text(body, 'subscription') ?? ''),
      'POST /__control/switch': (body) =>
        merchant.switchProduct(
          text(body, 'subscription') ?? '',
          text(body, 'product') ?? '',
          body.when === 'now',
        ),
      'POST /__control/dispute': (body) => merchant.dispute(text(body, 'transaction') ?? ''),
      'POST /__control/resend': (body) => webhooks.resend(text(body, 'event')),
    };
  }

  #settings(): Record<string, (body: Body) => unknown> {
    const { merchant, webhooks } = this.#world;
    return {
      'POST /__control/webhook': (body) => {
        webhooks.url = text(body, 'url');
        webhooks.secret = text(body, 'secret') ?? webhooks.secret;
      },
      'POST /__control/product': (body) => this.#world.putProduct(body as unknown as Product),
      'POST /__control/card': (body) => {
        const subscription = findById(merchant.ledger.subscriptions, text(body, 'subscription'));
        subscription.card = readCard(text(body, 'card') ?? '');
      },
      'POST /__control/fail-renewals': (body) => {
        merchant.failRenewals = body.times === null ? Number.POSITIVE_INFINITY : Number(body.times ?? 1);
      },
      'POST /__control/list-lag': (body) => {
        merchant.listLagMs = Number(body.ms ?? 0);
      },
      'POST /__control/webhook-fault': (body) => {
        if (!isWebhookFault(body.fault)) throw new Error(`unknown fault ${String(body.fault)}`);
        webhooks.faults.add(body.fault, body);
      },
      'POST /__control/api-fault': (body) => this.apiFaults.add(body as ApiFault, body),
      'DELETE /__control/faults': () => {
        webhooks.faults.clear();
        this.apiFaults.clear();
        merchant.failRenewals = 0;
        merchant.listLagMs = 0;
      },
    };
  }

  /** Answers a request under `/__control`. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string) {
    const action = this.#actions[`${request.method} ${path}`];
    if (!action) return answerJson(response, 404, { error: 'no such control' });
    try {
      const result = await action(request.method === 'GET' ? {} : await readJson(request));
      this.#world.changed();
      answerJson(response, 200, result ?? {});
    } catch (error) {
      answerJson(response, 400, { error: String(error) });
    }
  }
}
