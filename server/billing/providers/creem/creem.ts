import type { PaymentSettings } from '#server/config.ts';
import { type CallOptions, createCaller } from '../call-provider.ts';
import { readEnvelopeFields } from '../envelope.ts';
import { parseFields } from '../fields.ts';
import { modeOf } from '../mode-of.ts';
import type { ChangeResult, CheckoutRequest, CheckoutSession, PaymentProvider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { createCreemReader } from './creem-reader.ts';
import { verifyCreemSignature } from './creem-signature.ts';
import { readCreemSubscription } from './read-subscription.ts';
import { readCreemWebhook } from './read-webhook.ts';
import { resolveCreem } from './resolve.ts';

const path = (subscriptionId: string, act: string) =>
  `/v1/subscriptions/${encodeURIComponent(subscriptionId)}/${act}`;

/** Creem over its HTTP API of 2026 (docs.creem.io, the wire of the `creem` package 1.13). */
export function createCreem(settings: PaymentSettings, options?: CallOptions): PaymentProvider {
  const { apiKey, baseUrl, webhookSecret } = settings;
  const caller = createCaller({ provider: 'creem', baseUrl, apiKey, ...options });
  const reader = createCreemReader(caller);
  const { fetchSnapshot: _, ...questions } = reader;

  async function createCheckout(request: CheckoutRequest): Promise<CheckoutSession> {
    const answer = await caller.post('/v1/checkouts', {
      product_id: request.productId,
      request_id: request.orderId,
      success_url: request.successUrl,
      metadata: request.metadata,
      ...(request.userEmail === null ? {} : { customer: { email: request.userEmail } }),
    });
    const checkoutId = answer.text('id');
    const redirectUrl = answer.link('checkout_url');
    if (checkoutId === null || redirectUrl === null)
      throw new ProviderError('creem', 'malformed', 200, 'the checkout has no id or no address');
    return { checkoutId, redirectUrl, expiresAt: null };
  }

  async function change(subscriptionId: string, act: string, body: unknown): Promise<ChangeResult> {
    const answer = await caller.post(path(subscriptionId, act), body);
    const snapshot = readCreemSubscription(answer, null);
    return { result: 'done', facts: snapshot ? [snapshot] : [] };
  }

  async function portalUrl(customerId: string) {
    const answer = await caller.post('/v1/customers/billing', { customer_id: customerId });
    const link = answer.link('customer_portal_link');
    if (link === null) throw new ProviderError('creem', 'malformed', 200, 'the portal has no address');
    return link;
  }

  async function refund(transactionId: string): Promise<ChangeResult> {
    await caller.post('/v1/refunds', { transaction_id: transactionId });
    return { result: 'done', facts: [] };
  }

  return {
    name: 'creem',
    mode: modeOf(settings, { liveHost: 'api.creem.io', testKey: /^creem_test_/, liveKey: /^creem_/ }),
    offers: { portal: true, resume: true, cancelAtPeriodEnd: true, refund: true },
    createCheckout,
    signatureHeaders: ['creem-signature'],
    verifySignature: (headers, raw) => verifyCreemSignature(webhookSecret, headers, raw),
    readEnvelope: (raw) => {
      const body = parseFields(raw);
      return readEnvelopeFields(raw, body, {
        id: 'id',
        type: body.text('eventType') === null ? 'type' : 'eventType',
      });
    },
    translate: readCreemWebhook,
    ...questions,
    resolve: (facts) => resolveCreem(reader, facts),
    cancelSubscription: (id, when) =>
      change(id, 'cancel', { mode: when === 'now' ? 'immediate' : 'scheduled', onExecute: 'cancel' }),
    resumeSubscription: (id) => change(id, 'resume', {}),
    portalUrl,
    refund,
  };
}
