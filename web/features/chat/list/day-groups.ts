import type { Conversation } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { formatDate } from '#i18n/formats.ts';

/** The conversations of one stretch of time, newest first; `month` is its first millisecond where it is a month. */
export interface DayGroup {
  kind: 'pinned' | 'today' | 'yesterday' | 'week' | 'month';
  month: number | null;
  conversations: Conversation[];
}

const WEEK_DAYS = 7;

/**
 * Groups conversations as a reader remembers them, by the days of this device: pinned, today, yesterday, the seven days before,
 * then by month. `conversations` are in the order of the list.
 */
export function groupByDay(conversations: readonly Conversation[], now: number): DayGroup[] {
  const groups: DayGroup[] = [];
  const days = { today: startOfDay(now, 0), yesterday: startOfDay(now, 1), week: startOfDay(now, WEEK_DAYS) };
  for (const conversation of conversations) {
    const { kind, month } = stretchOf(conversation, days);
    const last = groups.at(-1);
    if (last?.kind === kind && last.month === month) last.conversations.push(conversation);
    else groups.push({ kind, month, conversations: [conversation] });
  }
  return groups;
}

/** The name of a month: with its year unless it is this one. */
export function monthName(month: number, now: number, language: Language): string {
  const isThisYear = new Date(month).getFullYear() === new Date(now).getFullYear();
  return formatDate(language, month, {
    month: isThisYear && language === 'zh' ? 'numeric' : 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

function stretchOf(
  { pinnedAt, updatedAt }: Conversation,
  days: Record<'today' | 'yesterday' | 'week', number>,
): Pick<DayGroup, 'kind' | 'month'> {
  if (pinnedAt !== null) return { kind: 'pinned', month: null };
  if (updatedAt >= days.today) return { kind: 'today', month: null };
  if (updatedAt >= days.yesterday) return { kind: 'yesterday', month: null };
  if (updatedAt >= days.week) return { kind: 'week', month: null };
  const day = new Date(updatedAt);
  return { kind: 'month', month: new Date(day.getFullYear(), day.getMonth(), 1).getTime() };
}

/** Midnight so many days ago; by the calendar, as a day may have 23 or 25 hours. */
function startOfDay(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}
