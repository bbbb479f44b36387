import { expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createProviders } from './create-providers.ts';

const pair = { monthly: 'prod_1', annual: 'prod_2' };
const settings = {
  apiKey: 'k',
  baseUrl: 'https://api.creem.io',
  webhookSecret: null,
  products: { gemini_basic: pair, gemini_pro: pair },
};

test('only configured providers exist, each in the world of its address', () => {
  const log = createLog('silent');
  expect(createProviders({ creem: null, bagelpay: null }, log)).toEqual({});
  const { creem, bagelpay } = createProviders(
    { creem: settings, bagelpay: { ...settings, baseUrl: 'https://test.bagelpay.io' } },
    log,
  );
  expect([creem?.name, creem?.mode]).toEqual(['creem', 'live']);
  expect([bagelpay?.name, bagelpay?.mode]).toEqual(['bagelpay', 'test']);
});

test('the world of a key is told by the key, behind a proxy too', () => {
  const modeOf = (apiKey: string) =>
    createProviders(
      { creem: { ...settings, apiKey, baseUrl: 'http://proxy.internal' }, bagelpay: null },
      createLog('silent'),
    ).creem?.mode;
  expect([modeOf('creem_test_1'), modeOf('creem_1'), modeOf('emulator')]).toEqual(['test', 'live', 'test']);
});
