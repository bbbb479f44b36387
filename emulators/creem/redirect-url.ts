import { createHash } from 'node:crypto';
import type { Checkout, Ledger } from '../payments/ledger.ts';

/**
 * Where the buyer goes after paying: the success URL with Creem's parameters and their signature, a SHA-256 over
 * `name=value|…|salt=<API key>` in the order of the URL, empty ones left out (armitage-labs/creem, pull request 72).
 */
export function creemRedirectUrl(checkout: Checkout, ledger: Ledger, apiKey: string): string | null {
  if (checkout.successUrl === null) return null;
  const transaction = ledger.transactions.find((each) => each.id === checkout.transactionId);
  const values: [string, string | null | undefined][] = [
    ['checkout_id', checkout.id],
    ['order_id', transaction?.orderId],
    ['customer_id', checkout.customerId],
    ['subscription_id', checkout.subscriptionId],
    ['product_id', checkout.productId],
    ['request_id', checkout.requestId],
  ];
  const params = values.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
  const url = new URL(checkout.successUrl);
  for (const [name, value] of params) url.searchParams.append(name, value);
  url.searchParams.append('signature', signRedirect(params, apiKey));
  return url.href;
}

/** The signature over parameters in their order. Assumed: parameters of our own in the success URL are not signed. */
export function signRedirect(params: readonly (readonly [string, string])[], apiKey: string): string {
  const pieces = [...params, ['salt', apiKey] as const].map(([name, value]) => `${name}=${value}`);
  return createHash('sha256').update(pieces.join('|')).digest('hex');
}
