import type { Order } from '#contract/billing.ts';
import type { Language } from '#web/lib/language.ts';
import { languageTag } from '#web/lib/language.ts';
import type { Translate } from '#web/lib/translate.ts';

/** Where an order stands, in words. */
export function orderStatusText(t: Translate, { status, confirming }: Order): string {
  return t(`orders.status.${status === 'open' && confirming ? 'confirming' : status}`);
}

/** Money in a currency's minor units, as the language writes it. */
export function formatMinor(language: Language, minor: number, currency: string): string {
  const format = new Intl.NumberFormat(languageTag(language), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits);
}
