import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, type Emulator, readJson } from '../http-server.ts';
import { answerCheckoutPage } from '../payments/checkout-page.ts';
import { PaymentControl } from '../payments/payment-control.ts';
import { playApiFault } from '../payments/play-api-fault.ts';
import { type PaymentEmulatorOptions, ProviderWorld } from '../payments/provider-world.ts';
import { BagelpayApi, refusal } from './bagelpay-api.ts';
import { BAGELPAY_WEBHOOKS, createBagelpayDialect } from './bagelpay-dialect.ts';

async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { api, control }: { api: BagelpayApi; control: PaymentControl },
) {
  const rule = control.apiFaults.take(url.pathname);
  if (rule && playApiFault(response, rule.what)) return;
  if (rule) {
    const { status = 200, code = status, message = 'Something went wrong' } = rule.what;
    return answerJson(response, status, refusal(code, message));
  }
  const apiKey = request.headers['x-api-key'];
  // Assumed: a bad key is an HTTP 401.
  if (!apiKey || apiKey === 'invalid') return answerJson(response, 401, refusal(401, 'Invalid API key'));
  try {
    const body = request.method === 'POST' ? await readJson(request) : {};
    const call = { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, body };
    const answer = url.pathname.startsWith('/api/') ? api.answer(call) : undefined;
    if (answer === undefined) return answerJson(response, 404, refusal(404, 'Not Found'));
    answerJson(response, 200, answer);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    answerJson(response, 400, refusal(400, 'Invalid JSON'));
  }
}

/** Starts a stand-in for BagelPay: API, hosted checkout, webhooks; control under `/__control`. It has no portal and no refund call. */
export async function startBagelpayEmulator(options: PaymentEmulatorOptions): Promise<Emulator> {
  let base = '';
  const urlOf = () => base;
  const world = new ProviderWorld(
    'bagelpay',
    (ledger) => createBagelpayDialect(ledger, urlOf),
    BAGELPAY_WEBHOOKS,
    options,
  );
  const api = new BagelpayApi(world, urlOf);
  const control = new PaymentControl(world);
  // Assumed: the buyer returns to the success URL as it was given; parameters and a signature are not documented.
  const returnUrl = ({ successUrl }: { successUrl: string | null }) => successUrl;
  const server = await world.listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, first, second] = url.pathname.split('/');
    if (first === '__control') return control.handle(request, response, url.pathname);
    if (first === 'checkout' && second) {
      await answerCheckoutPage(request, response, url, second, {
        providerName: 'BagelPay',
        world,
        returnUrl,
      });
    } else await answerApi(request, response, url, { api, control });
    if (request.method !== 'GET') world.changed();
  });
  base = server.url;
  return server;
}
