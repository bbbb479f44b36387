import type { PaymentSettings } from '#server/config.ts';
import type { CallOptions } from '../call-provider.ts';
import { readEnvelopeFields } from '../envelope.ts';
import { parseFields } from '../fields.ts';
import { modeOf } from '../mode-of.ts';
import type { ChangeResult, CheckoutRequest, CheckoutSession, PaymentProvider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { createBagelpayReader } from './bagelpay-reader.ts';
import { verifyBagelpaySignature } from './bagelpay-signature.ts';
import { createBagelpayCaller } from './call-bagelpay.ts';
import { readBagelpaySubscription } from './read-subscription.ts';
import { readBagelpayWebhook } from './read-webhook.ts';
import { resolveBagelpay } from './resolve.ts';

const unsupported = async (): Promise<ChangeResult> => ({ result: 'unsupported' });

/** BagelPay over its HTTP API (bagelpay.gitbook.io, the wire of the `bagelpay` package 1.0.6). */
export function createBagelpay(settings: PaymentSettings, options?: CallOptions): PaymentProvider {
  const { apiKey, baseUrl, webhookSecret } = settings;
  const caller = createBagelpayCaller({ provider: 'bagelpay', baseUrl, apiKey, ...options });

  async function createCheckout(request: CheckoutRequest): Promise<CheckoutSession> {
    const answer = await caller.post('/api/payments/checkouts', {
      product_id: request.productId,
      request_id: request.orderId,
      units: '1',
      success_url: request.successUrl,
      metadata: request.metadata,
      ...(request.userEmail === null ? {} : { customer: { email: request.userEmail } }),
    });
    const checkoutId = answer.text('payment_id');
    const redirectUrl = answer.link('checkout_url');
    if (checkoutId === null || redirectUrl === null)
      throw new ProviderError('bagelpay', 'malformed', 200, 'the checkout has no id or no address');
    return { checkoutId, redirectUrl, expiresAt: answer.time('expires_on') };
  }

  async function cancelSubscription(id: string, when: 'now' | 'period_end'): Promise<ChangeResult> {
    if (when === 'period_end') return { result: 'unsupported' };
    const answer = await caller.post(`/api/subscriptions/${encodeURIComponent(id)}/cancel`);
    const snapshot = readBagelpaySubscription(answer, { owner: answer, impliedStatus: 'canceled', at: null });
    return { result: 'done', facts: snapshot ? [snapshot] : [] };
  }

  return {
    name: 'bagelpay',
    mode: modeOf(settings, {
      liveHost: 'live.bagelpay.io',
      testKey: /^bagel_test_/,
      liveKey: /^bagel_live_/,
    }),
    offers: { portal: false, resume: false, cancelAtPeriodEnd: false, refund: false },
    createCheckout,
    signatureHeaders: ['bagelpay-signature', 'timestamp'],
    verifySignature: (headers, raw) => verifyBagelpaySignature(webhookSecret, headers, raw),
    readEnvelope: (raw) => readEnvelopeFields(raw, parseFields(raw), { id: 'event_id', type: 'event_type' }),
    translate: readBagelpayWebhook,
    ...createBagelpayReader(caller),
    resolve: (facts) => resolveBagelpay(caller, facts),
    cancelSubscription,
    resumeSubscription: unsupported,
    portalUrl: async () => null,
    refund: unsupported,
  };
}
