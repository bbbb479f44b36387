import type { Money } from '#contract/admin/screens.ts';
import { formatDate, formatMoment, formatMoney } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';

/** From so many millionths of a dollar on, cents are exact enough. */
const LARGE = 100_000_000;

/** How many digits behind the point of a dollar these amounts need, in millionths. */
export function dollarDigits(amounts: readonly number[]): number {
  return Math.max(0, ...amounts.map(Math.abs)) < LARGE ? 4 : 2;
}

/** How the console writes numbers and moments, in the operator's language and time zone. */
export function useFormat() {
  const { language } = useTranslation('admin').i18n;
  const tag = languageTag(language);
  return {
    moment: (time: number) => formatMoment(language, time),
    /** Without the year, where there is little room. */
    shortMoment: (time: number) =>
      formatDate(language, time, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
    fullMoment: (time: number) => formatDate(language, time, { dateStyle: 'full', timeStyle: 'long' }),
    /** Credits, and counts. */
    whole: (value: number) => value.toLocaleString(tag).replace('-', '−'),
    /** A change: `+40`, `−15`, `0`. */
    change: (value: number) =>
      new Intl.NumberFormat(tag, { signDisplay: 'exceptZero' }).format(value).replace('-', '−'),
    money: ({ currency, minor }: Money) => formatMoney(language, minor, currency),
    /** Millionths of a US dollar with so many digits behind the point. */
    dollars: (micro: number, digits: number) =>
      new Intl.NumberFormat(tag, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        signDisplay: 'negative',
      })
        .format(micro / 1_000_000)
        .replace('-', '−'),
    /** A price in US dollars: `$0.014`. */
    dollarPrice: (value: number) =>
      new Intl.NumberFormat(tag, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 0,
        maximumFractionDigits: 6,
      }).format(value),
    /** `66.7%`. */
    percent: (value: number) =>
      new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
        .format(value / 100)
        .replace('-', '−'),
    /** Names one after the other, as the language lists them. */
    list: (names: readonly string[]) => new Intl.ListFormat(tag, { style: 'narrow' }).format(names),
    /** In megabytes, small ones in kilobytes. */
    bytes: (count: number) => {
      const isSmall = count < 1_000_000;
      const unit = isSmall ? 'kilobyte' : 'megabyte';
      const format = new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: 1 });
      return format.format(count / (isSmall ? 1_000 : 1_000_000));
    },
  };
}
