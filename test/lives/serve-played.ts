import type { Provider } from '#contract/choices.ts';
import { answerJson, readJson, startHttpServer } from '#emulators/http-server.ts';
import type { PaymentSettings } from '#server/config.ts';
import { SECRET } from '../billing/payment-emulator.ts';
import { PlayedProvider } from './played-provider.ts';

/** What stands between a played provider and who asks it. */
export type Spoil = (path: string, honest: unknown, query: URLSearchParams) => unknown;

/** The product ids of the played catalogue. */
const PRODUCTS: PaymentSettings['products'] = {
  gemini_basic: { monthly: 'prod_basic_monthly', annual: 'prod_basic_annual' },
  gemini_pro: { monthly: 'prod_pro_monthly', annual: 'prod_pro_annual' },
};

/** Serves one played provider after the other at one address, so that a server asks whichever is played now. */
export async function servePlayed(name: Provider) {
  const served = {
    played: new PlayedProvider(name),
    /** Is every question refused. */
    refuses: false,
    /** Null: every answer is honest. */
    spoil: null as Spoil | null,
    calls: 0,
  };
  const server = await startHttpServer(0, async (request, response) => {
    served.calls += 1;
    if (served.refuses && request.method === 'GET')
      return answerJson(response, 403, { code: 403, msg: 'Forbidden' });
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const body = request.method === 'POST' ? await readJson(request) : {};
    const honest = served.played.answer(request.method ?? 'GET', pathname, searchParams, body);
    const told = served.spoil
      ? await served.spoil(pathname, structuredClone(honest.body), searchParams)
      : honest.body;
    if (told instanceof Buffer) response.writeHead(200, { 'content-type': 'application/json' }).end(told);
    else answerJson(response, honest.status, told);
  });
  const settings: PaymentSettings = {
    apiKey: 'creem_test_key',
    baseUrl: server.url,
    webhookSecret: SECRET,
    products: PRODUCTS,
  };
  const prefix = name.toUpperCase();
  const products = Object.values(PRODUCTS).flatMap((cycles) => Object.values(cycles));
  /** What makes a server use it. */
  const env: Record<string, string> = {
    [`${prefix}_BASE_URL`]: server.url,
    [`${prefix}_API_KEY`]: settings.apiKey,
    [`${prefix}_WEBHOOK_SECRET`]: SECRET,
    ...Object.fromEntries(
      products.map((id) => [`${prefix}_${id.replace('prod', 'product').toUpperCase()}`, id]),
    ),
  };
  return Object.assign(served, { settings, env, url: server.url, close: server.close });
}

export type Served = Awaited<ReturnType<typeof servePlayed>>;
