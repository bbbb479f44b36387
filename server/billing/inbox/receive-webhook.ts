import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { PaymentProvider, WebhookHeaders } from '../providers/provider.ts';
import { insertWebhook } from './inbox-store.ts';

/** Far more than any webhook has. */
export const MAX_WEBHOOK = 256 * 1024;

/** What is kept of the headers besides the proof. */
const KEPT_HEADERS = ['content-type', 'user-agent'];

/** The topic that announces a provider's webhook, so that a worker reads it at once. */
export function inboxTopic(provider: Provider): string {
  return `inbox:${provider}`;
}

/** The provider of an open webhook. Throws `not_configured` without its key or its webhook secret: it should try again later. */
export function requireWebhook({ config, providers }: Pick<Deps, 'config' | 'providers'>, name: Provider) {
  const provider = providers[name];
  const missing = !provider ? 'API_KEY' : config[name]?.webhookSecret ? null : 'WEBHOOK_SECRET';
  if (provider && missing === null) return provider;
  throw new AppError('not_configured', { setting: `${name.toUpperCase()}_${missing}` });
}

/**
 * Stores a webhook exactly as it came, once for each id and type, and wakes its readers; the answer waits for no more. The same content under
 * another id is skipped by `processInbox`, and facts and grants have unique keys of their own. Throws `invalid_signature`, with nothing
 * stored, unless the provider signed these bytes.
 */
export async function receiveWebhook(
  { database, clock, bus, metrics }: Pick<Deps, 'database' | 'clock' | 'bus' | 'metrics'>,
  provider: PaymentProvider,
  headers: WebhookHeaders,
  raw: Buffer,
): Promise<void> {
  if (!provider.verifySignature(headers, raw)) {
    metrics.webhooksRefused.inc({ provider: provider.name });
    throw new AppError('invalid_signature');
  }
  const { dedupeKey, type } = provider.readEnvelope(raw);
  const isNew = await insertWebhook(database.sql, {
    provider: provider.name,
    dedupeKey,
    type,
    raw,
    headers: Object.fromEntries(
      [...KEPT_HEADERS, ...provider.signatureHeaders].flatMap((name) =>
        headers[name] === undefined ? [] : [[name, String(headers[name])]],
      ),
    ),
    receivedAt: clock.now(),
  });
  if (isNew) bus.publish(inboxTopic(provider.name), {});
}
