import type { Life } from './lives.ts';
import type { PlayedEvent } from './played-provider.ts';

/** How a life is reported: every webhook at its time; none of them; or each as chance has it. */
export type Delivery = 'in time' | 'not at all' | 'by chance';

/** What becomes of one webhook: when it is posted, none, once or twice. */
export interface Fate {
  what: 'in time' | 'lost' | 'late' | 'doubled' | 'doubled under a new id';
  posts: { at: number; event: PlayedEvent }[];
}

const SECOND = 1_000;
const HOUR = 3_600_000;
/** Late ones arrive together. */
const ROUND = 8 * HOUR;
const FATES = ['in time', 'lost', 'late', 'doubled', 'doubled under a new id'] as const;

/** @param now when it happened */
export function fateOf(
  life: Life,
  delivery: Delivery,
  event: PlayedEvent,
  now: number,
  random: () => number,
): Fate {
  const last = Date.parse(life.judgedAt) - 3 * HOUR;
  const chance = FATES[Math.floor(random() * FATES.length)] ?? 'in time';
  const late = now + random() * (last - now);
  const rounded = Math.min(last, Math.ceil(late / ROUND) * ROUND);
  const wanted = delivery === 'by chance' ? chance : delivery === 'in time' ? 'in time' : 'lost';
  const what = wanted === 'lost' && life.onlyTold?.test(event.label) ? 'late' : wanted;
  const inTime = { at: now + SECOND, event };
  const renamed = { ...event, body: event.body.replace(/"evt_[^"]*"/, (id) => `${id.slice(0, -1)}_again"`) };
  const posts = {
    'in time': [inTime],
    lost: [],
    late: [{ at: rounded, event }],
    doubled: [inTime, { at: rounded, event }],
    'doubled under a new id': [inTime, { at: rounded, event: renamed }],
  };
  return { what, posts: posts[what] };
}
