import type { Language } from '#contract/choices.ts';

const TAGS = { zh: 'zh-CN', en: 'en-US' };

/** A day as pages and mails write it: `2026 年 12 月 1 日`, `December 1, 2026`. Without a time zone it is that of the machine. */
export function formatLongDay(language: Language, time: Date | number, timeZone?: string): string {
  return spaceDay(new Intl.DateTimeFormat(TAGS[language], { dateStyle: 'long', timeZone }).format(time));
}

const NO_BREAK_SPACE = '\u00a0';

/** The same for a page: no line breaks it apart. Without a time zone it is the reader's. */
export function formatDay(language: Language, time: Date | number, timeZone?: string): string {
  return joinLine(formatLongDay(language, time, timeZone));
}

/** A moment in the reader's time zone, for a page: no line breaks it apart. `Dec 1, 2026, 8:00 AM`. */
export function formatMoment(language: Language, time: Date | number): string {
  return formatDate(language, time, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Another part of a date, or a moment to the second, for a page in the reader's time zone: no line breaks it apart. */
export function formatDate(
  language: Language,
  time: Date | number,
  options: Intl.DateTimeFormatOptions,
): string {
  return joinLine(spaceDay(new Intl.DateTimeFormat(TAGS[language], options).format(time)));
}

/** A space between numbers and Chinese, as everywhere in our texts. */
function spaceDay(text: string): string {
  return text.replaceAll(/(?<=\d)(?=[年月日])|(?<=[年月])(?=\d)/g, ' ');
}

function joinLine(text: string): string {
  return text.replaceAll(/\s/g, NO_BREAK_SPACE);
}

/** Money in a currency's minor units as pages and mails write it. US dollars are `$6.90`; other currencies are named beyond doubt. */
export function formatMoney(language: Language, minor: number, currency: string): string {
  const format = new Intl.NumberFormat(TAGS[language], {
    style: 'currency',
    currency,
    currencyDisplay: currency === 'USD' ? 'narrowSymbol' : 'symbol',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits);
}
