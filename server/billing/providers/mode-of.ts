import type { PaymentSettings } from '#server/config.ts';
import type { Mode } from './facts.ts';

/** How a provider's two worlds are distinguished. */
interface Worlds {
  liveHost: string;
  testKey: RegExp;
  liveKey: RegExp;
}

/** The world a key belongs to: what the key itself says, else live at the provider's live host and test elsewhere. */
export function modeOf(
  { apiKey, baseUrl }: Pick<PaymentSettings, 'apiKey' | 'baseUrl'>,
  { liveHost, testKey, liveKey }: Worlds,
): Mode {
  if (testKey.test(apiKey)) return 'test';
  return liveKey.test(apiKey) || new URL(baseUrl).hostname === liveHost ? 'live' : 'test';
}
