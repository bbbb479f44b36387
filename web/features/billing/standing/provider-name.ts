import type { Provider } from '#contract/billing.ts';

/** The payment providers as they call themselves. */
export const PROVIDER_NAME: Record<Provider, string> = { creem: 'Creem', bagelpay: 'BagelPay' };
