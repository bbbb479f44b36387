import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { IS_LONG } from '#test/runs.ts';
import { rawSender } from '#test/send-raw.ts';

const FOREIGN = (port: string): Record<string, string>[] => [
  { host: `evil.example:${port}` },
  { host: `127.0.0.1.evil.example:${port}` },
  { host: `localhost.evil.example:${port}` },
  { host: `localhost:${port}`, origin: 'https://evil.example' },
  { host: `127.0.0.1:${port}`, origin: `http://evil.example:${port}` },
  { host: `127.0.0.1:${port}`, origin: 'null' },
];
/** Names of the demonstration site, which `site` alone answers to. */
const SITE = (port: string): Record<string, string>[] => [
  { host: 'shop.test' },
  { host: `shop.test:${port}`, origin: 'http://shop.test' },
  { host: 'partner.test', origin: `http://traps.test:${port}` },
];
const FOREIGN_AT_SITE = (port: string): Record<string, string>[] => [
  { host: 'shop.test', origin: 'https://evil.example' },
  { host: `shop.test:${port}`, origin: `http://evil.example:${port}` },
  { host: 'shop.test', origin: 'http://shop.test.evil.example' },
  { host: 'shop.test', origin: `http://127.0.0.1:${port}` },
  { host: 'shop.test', origin: 'null' },
  { host: `127.0.0.1:${port}`, origin: 'http://shop.test' },
];
const OWN = (port: string): Record<string, string>[] => [
  { host: `127.0.0.1:${port}` },
  { host: `localhost:${port}`, origin: `http://localhost:${port}` },
  { host: `[::1]:${port}` },
];

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(...names: string[]) {
  const child = spawn(process.execPath, ['emulators/main.ts', ...names], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, urls: JSON.parse(String(line)) as Record<string, string> };
}

describe('the program of the emulators', () => {
  test('starts the named ones and prints where they listen', async () => {
    const { urls } = await start('gemini', 'openai');
    expect(Object.keys(urls)).toEqual(['gemini', 'openai']);
    const response = await fetch(`${urls.gemini}/__control/requests`);
    expect(await response.json()).toEqual([]);
  });

  test.runIf(IS_LONG)(
    'answers no page from elsewhere, also not under a name that was made to lead here',
    async () => {
      const { urls } = await start('gemini', 'openai', 'creem', 'bagelpay', 'google', 'mail', 'site');
      const { smtp, ...served } = urls;
      expect(smtp).toMatch(/^smtp:/);
      expect(Object.keys(served)).toHaveLength(7);
      for (const [name, url] of Object.entries(served)) {
        const sender = rawSender(url);
        const { port } = new URL(url);
        const ask = async (method: string, path: string, headers: Record<string, string>) =>
          (await sender.send({ method, path, headers, body: null })).status;
        for (const [method, path] of [
          ['GET', '/'],
          ['GET', '/__control/mails'],
          ['GET', '/__control/ledger'],
          ['GET', '/__control/requests'],
          ['DELETE', '/__control'],
          ['POST', '/__control/webhook'],
          ['POST', '/v1/checkouts'],
          ['GET', '/.well-known/openid-configuration'],
          ['POST', '/interaction/x'],
          ['POST', '/__seen'],
        ] as const) {
          for (const foreign of [...FOREIGN(port), ...FOREIGN_AT_SITE(port)])
            expect([name, path, foreign, await ask(method, path, foreign)]).toEqual([
              name,
              path,
              foreign,
              403,
            ]);
        }
        for (const own of OWN(port))
          expect([name, own, (await ask('GET', '/', own)) === 403]).toEqual([name, own, false]);
        for (const own of SITE(port))
          expect([name, own, (await ask('GET', '/', own)) === 403]).toEqual([name, own, name !== 'site']);
        sender.close();
      }
    },
  );

  test('ends when its standard input does, as when its parent has died', async () => {
    const { child } = await start('gemini');
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.runIf(IS_LONG)('ends in order on SIGTERM', async () => {
    const { child } = await start('openai');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
