import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts';

/**
 * An order of such an age is asked about so often: most buyers pay within minutes, or never. Whatever else is paid is found in the
 * provider's list of charges (`reconcile-provider.ts`).
 */
const PACES: readonly [age: number, pace: number][] = [
  [2 * MINUTE_MS, 4 * SECOND_MS],
  [30 * MINUTE_MS, 30 * SECOND_MS],
  [2 * HOUR_MS, 2 * MINUTE_MS],
  [2 * DAY_MS, 15 * MINUTE_MS],
  [14 * DAY_MS, 6 * HOUR_MS],
];
const FIRST_AGAIN_MS = 15 * SECOND_MS;
/** A renewal that is charged late is known within the hour. */
const MAX_AGAIN_MS = 30 * MINUTE_MS;

/** When the providers are asked next about a user; null: nothing is open. Questions that stay open are asked ever more rarely. */
export function nextPoll(
  payable: readonly { createdAt: Date }[],
  hasQuestions: boolean,
  askedTimes: number,
  now: Date,
): Date | null {
  const pauses = payable.flatMap(({ createdAt }) => paceAt(now.getTime() - createdAt.getTime()) ?? []);
  if (hasQuestions) pauses.push(Math.min(MAX_AGAIN_MS, FIRST_AGAIN_MS * 2 ** Math.min(askedTimes, 20)));
  return pauses.length > 0 ? new Date(now.getTime() + Math.min(...pauses)) : null;
}

function paceAt(age: number): number | null {
  return PACES.find(([until]) => age < until)?.[1] ?? null;
}
