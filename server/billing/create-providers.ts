import type { Config } from '#server/config.ts';
import type { Log } from '#server/platform/log.ts';
import { createBagelpay } from './providers/bagelpay/bagelpay.ts';
import { createCreem } from './providers/creem/creem.ts';
import type { Providers } from './providers/provider.ts';

/** Opens the configured providers; warns of one whose webhook is closed because it has no secret. Nothing is asked yet. */
export function createProviders(config: Pick<Config, 'creem' | 'bagelpay'>, log: Log): Providers {
  for (const name of ['creem', 'bagelpay'] as const) {
    if (config[name] && !config[name].webhookSecret)
      log.warn({ provider: name, setting: `${name.toUpperCase()}_WEBHOOK_SECRET` }, 'the webhook is closed');
  }
  return {
    ...(config.creem ? { creem: createCreem(config.creem) } : {}),
    ...(config.bagelpay ? { bagelpay: createBagelpay(config.bagelpay) } : {}),
  };
}
