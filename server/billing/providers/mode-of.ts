import type { PaymentSettings } from '#server/config.ts';
import type { Mode } from './facts.ts';

const LIVE_HOSTS = ['api.creem.io', 'live.bagelpay.io'];
const TEST_KEY = /^(creem|bagel)_test_/;
const LIVE_KEY = /^(bagel_live_|creem_)/;

/** The world a key belongs to: what the key itself says, else live at the providers' live hosts and test elsewhere. */
export function modeOf({ apiKey, baseUrl }: Pick<PaymentSettings, 'apiKey' | 'baseUrl'>): Mode {
  if (TEST_KEY.test(apiKey)) return 'test';
  return LIVE_KEY.test(apiKey) || LIVE_HOSTS.includes(new URL(baseUrl).hostname) ? 'live' : 'test';
}
