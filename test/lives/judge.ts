import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '#contract/choices.ts';
import type { Fact } from '#server/billing/providers/facts.ts';
import type { RecordedLife } from './collect.ts';
import { explore, type Reached, type Report } from './explore.ts';
import { type End, inDaysOf } from './lives.ts';

/** One way of reporting a life. */
export interface Way {
  name: string;
  reports: Report[];
}

/** What must not be: what happened, the shortest way there, and where it ended. */
export interface Fault {
  way: string;
  what: string;
  path: string[];
  end?: End;
}

const ASKED = 'asked at the end';

/**
 * Every webhook at once, without an answer, by lists that lag, late; then each single one late, or first without an answer and read
 * again. Each with the provider's own answers at some moment, or without.
 */
export function waysOf({ events, asked }: RecordedLife, inDepth: boolean): Way[] {
  const all = (how: 'silent' | 'prompt' | 'late' | 'lagging') =>
    events.map((event): Report => ({ label: event.label, facts: event[how] }));
  const end = { label: ASKED, facts: asked };
  const single = (how: 'late' | 'lagging' | 'silent', more: readonly Report[]) =>
    events.map(({ label }, index): Way => {
      const one = all(how)[index] as Report;
      const others = all('prompt').filter((_, other) => other !== index);
      const again = how === 'silent' ? [{ label: `${label} again`, facts: events[index]?.late ?? [] }] : [];
      return { name: `${label} ${how}`, reports: [...others, one, ...again, ...more] };
    });
  return [
    { name: 'at once, and asked', reports: [...all('prompt'), end] },
    { name: 'without any answer, then asked', reports: [...all('silent'), end] },
    { name: 'by lists that lag', reports: [...all('lagging'), end] },
    { name: 'late', reports: all('late') },
    ...single('late', []),
    ...single('silent', []),
    ...(inDepth ? [...single('lagging', [end]), ...single('late', [end]), ...single('silent', [end])] : []),
  ];
}

/** Everything that is wrong in a way of reporting a life, the shortest paths first; and how many steps were looked at. */
export function judge(told: RecordedLife, { name, reports }: Way, provider: Provider) {
  const { reached, unsteady, steps } = explore(told, reports, provider);
  const faults = [
    ...unsteady.map((path): Fault => ({ way: name, what: 'the order or a second look matters', path })),
    ...reached.flatMap((each) => {
      const what = faultOf(told, { ...each, end: inDaysOf(told.life, each.end) }, reports);
      return what ? [{ way: name, what, path: each.path, end: each.end }] : [];
    }),
  ];
  return { faults: faults.sort((a, b) => a.path.length - b.path.length), steps };
}

function faultOf(told: RecordedLife, reached: Reached, reports: readonly Report[]): string | null {
  const { life } = told;
  const received = reports.filter(({ label }) => reached.told.has(label));
  const isGivenBack = received.some(({ facts }) =>
    facts.some(({ kind }) => kind === 'refund' || kind === 'dispute'),
  );
  const more = tooMuch(reached.end.credits, life.end.credits, isGivenBack);
  if (more) return more;
  return mustBeOver(told, reached, received) && !isDeepStrictEqual(reached.end, life.end)
    ? 'another end'
    : null;
}

/** Is everything reported, once at least: by webhooks, or by the provider's answers, as far as it can answer. */
function mustBeOver({ events, life }: RecordedLife, { told }: Reached, received: readonly Report[]): boolean {
  const facts = received.flatMap((each) => each.facts);
  const isTold = ({ label }: { label: string }) => told.has(label) || told.has(`${label} again`);
  const missing = events.filter((event) => !isTold(event));
  if (missing.some(({ label }) => life.onlyTold?.test(label))) return false;
  const charges = new Set(events.flatMap(({ prompt }) => chargesOf(prompt)));
  const known = new Set(chargesOf(facts));
  if ([...charges].some((id) => !known.has(id))) return false;
  const bound = new Set(subscriptionsOf(facts));
  if (events.flatMap(({ prompt }) => subscriptionsOf(prompt)).some((id) => !bound.has(id))) return false;
  return told.has(ASKED) || (missing.length === 0 && facts.every((fact) => isClear(fact, facts)));
}

/** The charges of which a person said for which order they are, and how much. */
function chargesOf(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) =>
    fact.kind === 'payment' && fact.match === 'told' && fact.orderId !== null ? fact.transactionId : [],
  );
}

/** The subscriptions of which a person said for which order they are. */
function subscriptionsOf(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => {
    if (fact.kind === 'unknown' || fact.orderId === null || fact.subscriptionId === null) return [];
    return fact.kind === 'payment' && fact.match !== 'told' ? [] : fact.subscriptionId;
  });
}

/** Is its amount known and decided. */
function isClear(fact: Fact, facts: readonly Fact[]): boolean {
  if (fact.kind === 'payment')
    return facts.some(
      (each) =>
        each.kind === 'payment' && each.transactionId === fact.transactionId && each.amountMinor !== null,
    );
  if (fact.kind !== 'refund' || (fact.status === 'succeeded' && fact.refundedMinor !== null)) return true;
  return false;
}

/** At no moment there may be more for a period than was paid for, nor less unless something was given back. */
function tooMuch(now: readonly string[], end: readonly string[], isGivenBack: boolean): string | null {
  const periods = new Map(end.map(readLine));
  for (const [period, { left, granted }] of now.map(readLine)) {
    const wanted = periods.get(period);
    if (!wanted) return `granted for nothing: ${period}`;
    if (Math.max(left, granted) > wanted.granted) return `granted twice: ${period}`;
    if (left < granted && !isGivenBack) return `taken back for nothing: ${period}`;
  }
  return null;
}

function readLine(line: string): [period: string, credits: { left: number; granted: number }] {
  const [order, day, credits = ''] = line.split(' ');
  const [left, granted] = credits.split('/').map(Number);
  return [`${order} ${day}`, { left: left ?? 0, granted: granted ?? 0 }];
}
