import { parseArgs } from 'node:util';
import { startBagelpayEmulator } from './bagelpay/bagelpay-emulator.ts';
import { startCreemEmulator } from './creem/creem-emulator.ts';
import { startGeminiEmulator } from './gemini/gemini-emulator.ts';
import { startGoogleEmulator } from './google/google-emulator.ts';
import type { Emulator } from './http-server.ts';
import { startMailEmulator } from './mail/mail-emulator.ts';
import { startOpenaiEmulator } from './openai/openai-emulator.ts';
import type { PaymentEmulatorOptions } from './payments/provider-world.ts';
import { StateFile } from './payments/state-file.ts';
import { Sights } from './site/sights.ts';
import { startSiteEmulator } from './site/site-emulator.ts';

type Options = PaymentEmulatorOptions & { sights: Sights };
const EMULATORS: Record<string, (options: Options) => Promise<Emulator>> = {
  gemini: startGeminiEmulator,
  openai: startOpenaiEmulator,
  creem: startCreemEmulator,
  bagelpay: startBagelpayEmulator,
  google: startGoogleEmulator,
  mail: startMailEmulator,
  site: startSiteEmulator,
};

const names = Object.keys(EMULATORS);
const option = { type: 'string' } as const;
const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parseArgs({
  options: Object.fromEntries([
    ['state', option],
    ...names.flatMap((name) => ['port', 'webhook', 'products'].map((each) => [`${each}-${name}`, option])),
  ]),
  allowPositionals: true,
});
function read(name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

const state = new StateFile(read('state'));

const sights = new Sights();

function optionsOf(name: string): Options {
  const url = read(`webhook-${name}`);
  const secret = process.env[`EMULATOR_SECRET_${name.toUpperCase()}`] ?? null;
  return {
    port: Number(read(`port-${name}`) ?? 0),
    products: JSON.parse(read(`products-${name}`) ?? '[]'),
    webhook: url === null && secret === null ? null : { url, secret: secret ?? 'emulator' },
    state,
    sights,
  };
}

const running: [string, Emulator][] = [];
for (const name of positionals) {
  const start = EMULATORS[name];
  if (!start) throw new Error(`no emulator is called ${name}; there are ${names.join(', ')}`);
  running.push([name, await start(optionsOf(name))]);
}
async function stop() {
  await Promise.all(running.map(([, emulator]) => emulator.close()));
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.resume().once('end', stop).once('close', stop);
console.log(
  JSON.stringify(Object.assign({}, ...running.map(([name, { url, also }]) => ({ [name]: url, ...also })))),
);
