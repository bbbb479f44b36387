import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, type Emulator, readJson } from '../http-server.ts';
import { answerCheckoutPage } from '../payments/checkout-page.ts';
import { PaymentControl } from '../payments/payment-control.ts';
import { playApiFault } from '../payments/play-api-fault.ts';
import { answerPortalPage } from '../payments/portal-page.ts';
import { type PaymentEmulatorOptions, ProviderWorld } from '../payments/provider-world.ts';
import { CreemApi, statusOfFault } from './creem-api.ts';
import { CREEM_WEBHOOKS, createCreemDialect } from './creem-dialect.ts';
import { creemRedirectUrl } from './redirect-url.ts';

const WORDS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
};

function answerError(response: ServerResponse, status: number, message: string | null) {
  const words = { status, error: WORDS[status] ?? 'Internal Server Error' };
  const said = message === null ? {} : { message: [message] };
  answerJson(response, status, { trace_id: randomUUID(), ...words, ...said, timestamp: Date.now() });
}

/** Answers the API; pages and control are answered before. */
async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { api, control, onKey }: { api: CreemApi; control: PaymentControl; onKey(key: string): void },
) {
  const rule = control.apiFaults.take(url.pathname);
  if (rule && playApiFault(response, rule.what)) return;
  if (rule?.what.status)
    return answerError(response, rule.what.status, rule.what.message ?? 'Something went wrong');
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey !== 'string' || apiKey === '') return answerError(response, 401, null);
  if (apiKey === 'invalid') return answerError(response, 403, null);
  onKey(apiKey);
  try {
    const body = request.method === 'POST' ? await readJson(request) : {};
    const call = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body,
      apiKey,
    };
    const answer = url.pathname.startsWith('/v1/') ? api.answer(call) : undefined;
    if (answer === undefined) return answerError(response, 404, `Cannot ${call.method} ${call.path}`);
    answerJson(response, 200, answer);
  } catch (error) {
    const status = statusOfFault(error);
    if (status === null) throw error;
    answerError(response, status, error instanceof Error ? error.message : null);
  }
}

/** Starts a stand-in for Creem: API, hosted checkout, customer portal, webhooks; control under `/__control`. */
export async function startCreemEmulator(options: PaymentEmulatorOptions): Promise<Emulator> {
  let base = '';
  /** The key that signs redirects: the one the checkout was made with, so the last one that called. */
  let lastKey = 'emulator';
  const urlOf = () => base;
  const world = new ProviderWorld(
    'creem',
    (ledger) => createCreemDialect(ledger, urlOf),
    CREEM_WEBHOOKS,
    options,
  );
  const api = new CreemApi(world, urlOf);
  const control = new PaymentControl(world);
  const onKey = (key: string) => {
    lastKey = key;
  };
  const { ledger } = world.merchant;
  const page = {
    providerName: 'Creem',
    world,
    returnUrl: (checkout: (typeof ledger.checkouts)[number]) => creemRedirectUrl(checkout, ledger, lastKey),
  };
  const server = await world.listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, first, second, third] = url.pathname.split('/');
    if (first === '__control') return control.handle(request, response, url.pathname);
    if (first === 'checkout' && second) {
      await answerCheckoutPage(request, response, url, second, page);
    } else if (first === 'my-orders' && second === 'login') {
      const customerId = api.portalTokens.get(third ?? '');
      if (!customerId) return answerError(response, 404, null);
      await answerPortalPage(request, response, url, customerId, world);
    } else await answerApi(request, response, url, { api, control, onKey });
    if (request.method !== 'GET') world.changed();
  });
  base = server.url;
  return server;
}
