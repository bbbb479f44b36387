import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DAY_MS } from '#contract/time.ts';
import { startBagelpayEmulator } from '#emulators/bagelpay/bagelpay-emulator.ts';
import { startCreemEmulator } from '#emulators/creem/creem-emulator.ts';
import type { WebhookFault } from '#emulators/payments/faults.ts';
import type { Ledger } from '#emulators/payments/ledger.ts';
import { productsOf } from '#emulators/payments/products-of.ts';
import type { PaymentEmulatorOptions } from '#emulators/payments/provider-world.ts';
import type { Delivery } from '#emulators/payments/webhooks.ts';
import { verifyBagelpaySignature } from '#server/billing/providers/bagelpay/bagelpay-signature.ts';
import { verifyCreemSignature } from '#server/billing/providers/creem/creem-signature.ts';
import { PLANS } from '#server/catalogue/plans.ts';
import type { PaymentSettings } from '#server/config.ts';

export const SECRET = 'whsec_test_secret';

/** A webhook as a server of ours receives it. */
export interface Received {
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
}

/** A server that keeps every webhook and answers `status`. */
export async function startReceiver() {
  const received: Received[] = [];
  const answer = { status: 200 };
  const server = createServer((request, response) => {
    void buffer(request).then((raw) => {
      received.push({ headers: request.headers, raw });
      response.writeHead(answer.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    answer,
    typesOf: () => received.map(({ raw }) => typeOf(raw)),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function typeOf(raw: Buffer): string {
  const body = JSON.parse(raw.toString());
  return body.eventType ?? body.event_type;
}

/** A payment emulator's control, over HTTP as in life. Rejects what it refuses. */
function controlPayments(url: string) {
  async function tell<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${url}/__control${path}`, init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }
  return {
    ledger: (): Promise<Ledger> => tell('GET', '/ledger'),
    webhooks: (): Promise<Delivery[]> => tell('GET', '/webhooks'),
    /** Waits until every webhook that is due was sent. */
    settle: (): Promise<Delivery[]> => tell('POST', '/settle', {}),
    now: async (): Promise<number> => (await tell<{ now: number }>('GET', '/clock')).now,
    nextDue: async () => (await tell<{ nextDue: number | null }>('GET', '/clock')).nextDue,
    moveTo: (to: string | number) => tell('POST', '/clock', { to }),
    moveDays: (days: number) => tell('POST', '/clock', { ms: days * DAY_MS }),
    act: (name: string, body: Record<string, unknown> = {}) => tell('POST', `/${name}`, body),
    webhookFault: (fault: WebhookFault, body: Record<string, unknown> = {}) =>
      tell('POST', '/webhook-fault', { fault, ...body }),
    apiFault: (fault: Record<string, unknown>) => tell('POST', '/api-fault', fault),
    clearFaults: () => tell('DELETE', '/faults', {}),
  };
}

/** Starts an emulator with the catalogue's products. */
export async function startPayments(
  name: 'creem' | 'bagelpay',
  options: Partial<PaymentEmulatorOptions> = {},
) {
  const start = name === 'creem' ? startCreemEmulator : startBagelpayEmulator;
  const emulator = await start({ port: 0, products: productsOf(PLANS), ...options });
  const settings: PaymentSettings = {
    apiKey: 'creem_test_key',
    baseUrl: emulator.url,
    webhookSecret: SECRET,
    products: {
      gemini_basic: { monthly: 'prod_basic_monthly', annual: 'prod_basic_annual' },
      gemini_pro: { monthly: 'prod_pro_monthly', annual: 'prod_pro_annual' },
    },
  };
  const check = name === 'creem' ? verifyCreemSignature : verifyBagelpaySignature;
  const prefix = name.toUpperCase();
  /** What makes a server use it. */
  const env: Record<string, string> = {
    [`${prefix}_BASE_URL`]: emulator.url,
    [`${prefix}_API_KEY`]: settings.apiKey,
    [`${prefix}_WEBHOOK_SECRET`]: SECRET,
    ...Object.fromEntries(
      productsOf(PLANS).map(({ id }) => [`${prefix}_${id.replace('prod', 'product').toUpperCase()}`, id]),
    ),
  };
  const verify = ({ headers, raw }: Received) => check(SECRET, headers, raw);
  return { ...emulator, settings, env, verify, control: controlPayments(emulator.url) };
}
