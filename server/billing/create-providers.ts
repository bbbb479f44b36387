import { PROVIDERS, type Provider } from '#contract/choices.ts';
import type { Config } from '#server/config.ts';
import type { Log } from '#server/platform/log.ts';
import { createBagelpay } from './providers/bagelpay/bagelpay.ts';
import type { CallOptions } from './providers/call-provider.ts';
import { createCreem } from './providers/creem/creem.ts';
import type { PaymentProvider, Providers } from './providers/provider.ts';

type Settings = NonNullable<Config[Provider]>;

const CREATE: Record<Provider, (settings: Settings, options: CallOptions) => PaymentProvider> = {
  creem: createCreem,
  bagelpay: createBagelpay,
};

/**
 * Opens the configured providers; warns of one whose webhook is closed because it has no secret. Nothing is asked yet. `onKeyRefused` is
 * called for each call that a provider refuses because of our key.
 */
export function createProviders(
  config: Pick<Config, Provider>,
  log: Log,
  onKeyRefused: (provider: Provider) => void = () => {},
): Providers {
  const providers: Partial<Record<Provider, PaymentProvider>> = {};
  for (const name of PROVIDERS) {
    const settings = config[name];
    if (!settings) continue;
    if (!settings.webhookSecret)
      log.warn({ provider: name, setting: `${name.toUpperCase()}_WEBHOOK_SECRET` }, 'the webhook is closed');
    providers[name] = CREATE[name](settings, { onKeyRefused: () => onKeyRefused(name) });
  }
  return providers;
}
