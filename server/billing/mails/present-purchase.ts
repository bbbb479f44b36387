import type { Provider } from '#contract/billing.ts';
import { planOf } from '#server/catalogue/rules.ts';
import type { Language } from '#server/platform/translate.ts';
import { translate } from '#server/platform/translate.ts';
import type { BillingOrder } from '../link-orders.ts';

/** The payment providers as they call themselves. */
export const PROVIDER_NAME: Record<Provider, string> = { creem: 'Creem', bagelpay: 'BagelPay' };

/** What was bought, in words: `Pro（按月）`. */
export function presentPlan(language: Language, { planKey, cycle }: BillingOrder): string {
  return translate(language, 'orders.name', {
    plan: planOf(planKey).title[language],
    cycle: translate(language, `subscription.cycle.${cycle}`),
  });
}

/** Money in a currency's minor units; the currency is named beyond doubt, `US$6.90`. */
export function presentMoney(language: Language, minor: number, currency: string): string {
  const tag = language === 'zh' ? 'zh-CN' : 'en-GB';
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits);
}
