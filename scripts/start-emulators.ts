import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CLIENT } from '#emulators/google/registered-client.ts';
import { productsOf } from '#emulators/payments/products-of.ts';
import { SITE_HOSTS } from '#emulators/site/site-emulator.ts';
import { PLANS } from '#server/catalogue/plans.ts';
import type { Config, EmulatedService } from '#server/config.ts';
import { keepSecret } from '#server/platform/secret-file.ts';

export interface Emulators {
  /** Settings that send the server to the stand-ins instead of the real services. */
  env: Record<string, string>;
  urls: Partial<Record<EmulatedService, string>>;
  /** Gives the payment providers the address where the server listens on this machine; until then their webhooks wait. */
  connect(serverUrl: string): Promise<void>;
  stop(): Promise<void>;
}

type Printed = Record<EmulatedService | 'smtp' | 'site', string>;
type PaymentService = 'creem' | 'bagelpay';

const PRODUCTS = productsOf(PLANS);
/** What the keys of their test worlds begin with. */
const KEYS: Record<PaymentService, string> = {
  creem: 'creem_test_emulator',
  bagelpay: 'bagel_test_emulator',
};

/**
 * Starts the stand-ins for what `config.emulate` names as one process of its own, on free ports. It ends when this process does,
 * however that ends: it holds the other end of its standard input. What the payment providers know stays in `DATA_DIR`. Their secrets go by
 * its environment, which only its owner reads; arguments are for everybody.
 */
export async function startEmulators({
  emulate,
  dataDir,
}: Pick<Config, 'emulate' | 'dataDir'>): Promise<Emulators> {
  if (emulate.length === 0) return { env: {}, urls: {}, connect: async () => {}, stop: async () => {} };
  const folder = join(dataDir, 'emulators');
  const payments = emulate.filter((name) => name === 'creem' || name === 'bagelpay');
  const secrets = new Map(payments.map((name) => [name, keepSecret(folder, `${name}-webhook-secret`)]));
  // The emulated model uses a site of our own, which no one else needs.
  const site = emulate.includes('gemini') ? ['site'] : [];
  const flags = payments.map((name) => `--products-${name}=${JSON.stringify(PRODUCTS)}`);
  const hidden = [...secrets].map(([name, secret]) => [`EMULATOR_SECRET_${name.toUpperCase()}`, secret]);
  const child = spawn(
    process.execPath,
    ['emulators/main.ts', ...emulate, ...site, `--state=${join(folder, 'payments.json')}`, ...flags],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      env: { ...process.env, ...Object.fromEntries(hidden) },
    },
  );
  const { smtp, site: siteUrl, ...urls } = JSON.parse(await firstLine(child)) as Printed;
  child.unref();
  const settings = [...secrets].map(([name, secret]) => paymentSettings(name, urls[name], secret));
  return {
    env: Object.assign(
      urls.gemini ? { GEMINI_BASE_URL: urls.gemini, GEMINI_API_KEY: 'emulator' } : {},
      siteUrl ? { COMPUTER_TEST_HOSTS: testHosts(siteUrl) } : {},
      smtp ? { SMTP_URL: smtp } : {},
      urls.google ? googleSettings(urls.google) : {},
      ...settings,
    ),
    urls,
    connect: async (serverUrl) => {
      await Promise.all(payments.map((name) => setTarget(urls[name], `${serverUrl}/webhooks/${name}`)));
    },
    stop: () => stop(child),
  };
}

/** Leads the names of the demonstration site to where it listens. */
function testHosts(url: string): string {
  return SITE_HOSTS.map((name) => `${name}=${new URL(url).host}`).join(',');
}

function googleSettings(issuer: string): Record<string, string> {
  return { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: CLIENT.id, GOOGLE_CLIENT_SECRET: CLIENT.secret };
}

function paymentSettings(name: PaymentService, url: string, secret: string): Record<string, string> {
  const prefix = name.toUpperCase();
  const products = PRODUCTS.map(({ id }) => [`${prefix}_${id.replace('prod', 'product').toUpperCase()}`, id]);
  return {
    [`${prefix}_BASE_URL`]: url,
    [`${prefix}_API_KEY`]: KEYS[name],
    [`${prefix}_WEBHOOK_SECRET`]: secret,
    ...Object.fromEntries(products),
  };
}

async function setTarget(emulator: string, url: string) {
  const response = await fetch(`${emulator}/__control/webhook`, {
    method: 'POST',
    body: JSON.stringify({ url }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function firstLine(child: ChildProcess) {
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => null);
  const line = await Promise.race([once(lines, 'line'), ended]);
  if (line === null) throw new Error('模拟服务未能启动。The emulators did not start.');
  return String(line[0]);
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.ref();
  child.kill('SIGTERM');
  const harder = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(harder);
}
