import type { UsageRow } from '#contract/keys.ts';
import { DAY_MS } from '#contract/time.ts';

export interface UsageDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  credits: number;
  requests: number;
}

/** Every day from the first to the last, also those without a request. */
export function usageDays(rows: readonly UsageRow[], from: string, to: string): UsageDay[] {
  const days: UsageDay[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    days.push({ day: new Date(time).toISOString().slice(0, 10), credits: 0, requests: 0 });
  }
  const byDay = new Map(days.map((day) => [day.day, day]));
  for (const { day, credits, requests } of rows) {
    const sum = byDay.get(day);
    if (!sum) continue;
    sum.credits += credits;
    sum.requests += requests;
  }
  return days;
}
