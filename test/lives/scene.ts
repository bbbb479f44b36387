import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Subscription } from '#emulators/payments/ledger.ts';
import type { PlayedProvider } from './played-provider.ts';

export interface WantedOrder {
  /** What the life calls it. */
  name: string;
  planKey: PlanKey;
  cycle: Cycle;
}

const GOOD_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';

/** One buyer at one provider: what a life does there. Orders go by the names that the life gives them. */
export class Scene {
  readonly played: PlayedProvider;
  readonly #email: string;
  readonly #openOrder: (wanted: WantedOrder) => Promise<string>;
  readonly #checkouts = new Map<string, string>();

  /** @param openOrder begins an order, and answers the provider's id of its checkout */
  constructor(played: PlayedProvider, email: string, openOrder: (wanted: WantedOrder) => Promise<string>) {
    this.played = played;
    this.#email = email;
    this.#openOrder = openOrder;
  }

  async order(name: string, planKey: PlanKey = 'gemini_basic', cycle: Cycle = 'monthly') {
    this.#checkouts.set(name, await this.#openOrder({ name, planKey, cycle }));
  }

  async buy(name: string, planKey?: PlanKey, cycle?: Cycle) {
    await this.order(name, planKey, cycle);
    this.pay(name);
  }

  pay(name: string) {
    this.played.merchant.pay(this.#checkout(name), GOOD_CARD, this.#email);
  }

  decline(name: string) {
    this.played.merchant.pay(this.#checkout(name), DECLINED_CARD, this.#email);
  }

  payAgain(name: string) {
    this.played.payAgain(this.#checkout(name), this.#email);
  }

  chargeAgain(name: string) {
    this.played.chargeAgain(this.#subscription(name));
  }

  renew(name: string) {
    return this.played.renew(this.#subscription(name));
  }

  failRenewal(name: string) {
    return this.played.failRenewal(this.#subscription(name));
  }

  switchPlan(name: string, productId: string) {
    this.played.switchPlan(this.#subscription(name), productId);
  }

  /** Another person may have ended it already. */
  end(name: string) {
    const { id, status } = this.#subscription(name);
    if (status !== 'canceled') this.played.merchant.end(id);
  }

  scheduleEnd(name: string) {
    this.played.merchant.scheduleEnd(this.#subscription(name).id);
  }

  resume(name: string) {
    this.played.merchant.resume(this.#subscription(name).id);
  }

  /** @param charge counted from 0; without an amount all that is left */
  refund(name: string, charge: number, amountMinor: number | null = null) {
    this.played.merchant.refund(this.#charge(name, charge), amountMinor);
  }

  beginRefund(name: string, charge: number, amountMinor: number) {
    this.played.beginRefund(this.#charge(name, charge), amountMinor);
  }

  finishRefund(name: string, charge: number, amountMinor: number) {
    this.played.finishRefund(this.#charge(name, charge), amountMinor);
  }

  /** From now on a charge is shown with another amount than was reported of it. */
  misstate(name: string, charge: number, amountMinor: number) {
    this.played.misstate(this.#charge(name, charge), amountMinor);
  }

  dispute(name: string, charge: number) {
    this.played.merchant.dispute(this.#charge(name, charge));
  }

  /** The bank decides for us: the charge is shown as paid again, and nothing is reported. */
  winDispute(name: string, charge: number) {
    this.played.setPaid(this.#charge(name, charge));
  }

  #checkout(name: string): string {
    const checkout = this.#checkouts.get(name);
    if (!checkout) throw new Error(`no order ${name}`);
    return checkout;
  }

  #subscription(name: string): Subscription {
    const [first] = this.played.subscriptionsOf(this.#checkout(name));
    if (!first) throw new Error(`no subscription of ${name}`);
    return first;
  }

  #charge(name: string, index: number): string {
    const charge = this.played.chargesOf(this.#checkout(name))[index];
    if (!charge) throw new Error(`no charge ${index} of ${name}`);
    return charge.id;
  }
}
