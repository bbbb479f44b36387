import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Dialect, Happening, WebhookNews } from '../payments/happening.ts';
import { findById, type Ledger } from '../payments/ledger.ts';
import type { WebhookFormat } from '../payments/webhooks.ts';
import { BagelpayObjects } from './bagelpay-objects.ts';

const PREFIXES = {
  checkout: 'ch_',
  subscription: 'sub_',
  transaction: 'tran_',
  order: 'ORD_',
  customer: '',
  refund: 'ref_',
};

function newId(kind: keyof typeof PREFIXES | 'event'): string {
  if (kind === 'event') return `evt_1${randomBytes(12).toString('hex')}`;
  return `${PREFIXES[kind]}19${randomInt(10_000_000, 99_999_999)}${kind === 'customer' ? '' : randomInt(10_000_000, 99_999_999)}`;
}

/**
 * BagelPay's webhooks for what happens. Assumed: every charge of a subscription is sent twice, by `checkout.completed` and by
 * `subscription.paid`, and a renewal repeats the first order's `request_id`; the documentation can be read so.
 */
export function createBagelpayDialect(ledger: Ledger, urlOf: () => string): Dialect {
  const objects = new BagelpayObjects(ledger, urlOf);

  function newsOf(happening: Happening): WebhookNews[] {
    switch (happening.kind) {
      case 'paid': {
        const { checkout, subscription, transaction } = happening;
        const inside = objects.event(checkout, { transaction, subscription });
        const { subscription: _, ...sample } = inside;
        const completed = { type: 'checkout.completed', object: sample };
        return subscription ? [completed, { type: 'subscription.paid', object: inside }] : [completed];
      }
      case 'checkout_failed':
        return [{ type: 'checkout.failed', object: objects.event(happening.checkout, {}) }];
      case 'abandoned':
        return [{ type: 'checkout.cancel', object: objects.event(happening.checkout, {}) }];
      case 'charge_failed': {
        const { checkout, subscription } = happening;
        return [{ type: 'checkout.failed', object: objects.event(checkout, { subscription }) }];
      }
      case 'canceled': {
        const { subscription } = happening;
        const checkout = findById(ledger.checkouts, subscription.checkoutId);
        return [{ type: 'subscription.canceled', object: objects.event(checkout, { subscription }) }];
      }
      case 'refunded':
        return [{ type: 'refund.created', object: objects.refund(happening.refund) }];
      case 'disputed': {
        const { transaction } = happening;
        const checkout = findById(ledger.checkouts, transaction.checkoutId);
        return [{ type: 'checkout.cancel', object: objects.event(checkout, { transaction }) }];
      }
      case 'lapsed':
      case 'cancel_scheduled':
      case 'paused':
      case 'resumed':
      case 'switched':
        return [];
    }
  }

  return { newId, newsOf };
}

const MINUTE = 60_000;

/** BagelPay's webhooks on the wire: at once, then six times a minute apart. Assumed: the timestamp is in seconds and made anew for every try. */
export const BAGELPAY_WEBHOOKS: WebhookFormat = {
  retryMs: [MINUTE, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE],
  write: (id, { type, object }, createdAt) =>
    JSON.stringify({
      event_id: id,
      event_type: type,
      created_at: new Date(createdAt).toISOString().replace('T', ' ').slice(0, 19),
      object,
    }),
  sign(body, secret, at) {
    const timestamp = String(Math.floor(at / 1_000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    return { timestamp, 'Bagelpay-Signature': signature };
  },
  newEventId: () => newId('event'),
};
