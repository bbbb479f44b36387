import { createHmac, randomBytes } from 'node:crypto';
import type { Dialect, Happening, WebhookNews } from '../payments/happening.ts';
import type { Ledger, Subscription } from '../payments/ledger.ts';
import type { WebhookFormat } from '../payments/webhooks.ts';
import { CreemObjects } from './creem-objects.ts';

const PREFIXES = {
  checkout: 'ch',
  subscription: 'sub',
  transaction: 'tran',
  order: 'ord',
  customer: 'cust',
  refund: 'ref',
  event: 'evt',
  dispute: 'disp',
};

function newId(kind: keyof typeof PREFIXES): string {
  return `${PREFIXES[kind]}_${randomBytes(11).toString('base64url').replace(/[-_]/g, '0')}`;
}

type SubscriptionObject = ReturnType<CreemObjects['subscription']>;

/** The vendor's samples of some events leave these out. */
function without(object: SubscriptionObject, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const PAYMENT = ['last_transaction_id', 'last_transaction_date', 'next_transaction_date'];
const PERIOD = ['current_period_start_date', 'current_period_end_date'];

/** Creem's webhooks for what happens. Assumed: their order on a first payment, and `update` after a resume. */
export function createCreemDialect(ledger: Ledger, urlOf: () => string): Dialect {
  const objects = new CreemObjects(ledger, urlOf);
  const bare = (subscription: Subscription, type: string): WebhookNews => ({
    type,
    object: without(objects.subscription(subscription), ...PAYMENT, 'metadata'),
  });
  const full = (subscription: Subscription, type: string): WebhookNews => ({
    type,
    object: objects.subscription(subscription),
  });

  function paid(happening: Happening & { kind: 'paid' }): WebhookNews[] {
    const { isFirst, checkout, subscription } = happening;
    const renewal = subscription ? [full(subscription, 'subscription.paid')] : [];
    if (!isFirst) return renewal;
    const active =
      subscription && without(objects.subscription(subscription), ...PAYMENT, ...PERIOD, 'metadata', 'items');
    return [
      { type: 'checkout.completed', object: objects.checkout(checkout) },
      ...(active ? [{ type: 'subscription.active', object: active }] : []),
      ...renewal,
    ];
  }

  function newsOf(happening: Happening): WebhookNews[] {
    switch (happening.kind) {
      case 'paid':
        return paid(happening);
      case 'checkout_failed':
      case 'abandoned':
        return [];
      case 'charge_failed':
        return [full(happening.subscription, 'subscription.past_due')];
      case 'lapsed': {
        const news = bare(happening.subscription, 'subscription.expired');
        return [{ ...news, object: { ...news.object, status: 'active' } }];
      }
      case 'cancel_scheduled':
        return [full(happening.subscription, 'subscription.scheduled_cancel')];
      case 'canceled':
        return [full(happening.subscription, 'subscription.canceled')];
      case 'paused':
        return [bare(happening.subscription, 'subscription.paused')];
      case 'resumed':
      case 'switched':
        return [bare(happening.subscription, 'subscription.update')];
      case 'refunded':
        return [{ type: 'refund.created', object: objects.refund(happening.refund) }];
      case 'disputed':
        return [
          { type: 'dispute.created', object: objects.dispute(newId('dispute'), happening.transaction) },
        ];
    }
  }

  return { newId, newsOf };
}

const MINUTE = 60_000;

/** Creem's webhooks on the wire: first at once, then 30 s, 5 min, 30 min and 6 h after the try before. */
export const CREEM_WEBHOOKS: WebhookFormat = {
  retryMs: [30_000, 5 * MINUTE, 30 * MINUTE, 360 * MINUTE],
  write: (id, { type, object }, createdAt) =>
    JSON.stringify({ id, eventType: type, created_at: createdAt, object }),
  sign: (body, secret) => ({ 'creem-signature': createHmac('sha256', secret).update(body).digest('hex') }),
  newEventId: () => newId('event'),
};
