import { createHmac } from 'node:crypto';
import type { Provider } from '#contract/choices.ts';
import { SECRET } from './payment-emulator.ts';

/** The headers with which a provider would send these bytes, BagelPay at a time in seconds. */
export function signWebhook(
  provider: Provider,
  body: string | Uint8Array,
  secret = SECRET,
  timestamp = '1757838600',
): Record<string, string> {
  const digest = createHmac('sha256', secret)
    .update(provider === 'creem' ? '' : `${timestamp}.`)
    .update(body)
    .digest('hex');
  const proof =
    provider === 'creem' ? { 'creem-signature': digest } : { timestamp, 'bagelpay-signature': digest };
  return { 'content-type': 'application/json', ...proof };
}

/** Sends bytes to a webhook as its provider would, and answers the status. */
export async function postWebhook(
  url: string,
  provider: Provider,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = signWebhook(provider, body),
): Promise<number> {
  const response = await fetch(`${url}/webhooks/${provider}`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}
