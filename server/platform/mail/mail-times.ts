import type { Language } from '#contract/choices.ts';
import { formatLongDay } from '#i18n/formats.ts';

/** A day in UTC as mails write it: `2026 年 12 月 1 日`, `December 1, 2026`. */
export function mailDay(language: Language, time: Date): string {
  return formatLongDay(language, time, 'UTC');
}

/** A moment as mails write it: the time zone is not known, so it is UTC and says so. */
export function mailMoment(language: Language, time: Date): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' }).format(time);
  return language === 'zh'
    ? `${mailDay(language, time)} ${clock}（UTC）`
    : `${mailDay(language, time)}, ${clock} UTC`;
}

/** From one day to another in UTC. */
export function mailSpan(language: Language, from: Date, to: Date): string {
  return `${mailDay(language, from)} – ${mailDay(language, to)}`;
}
