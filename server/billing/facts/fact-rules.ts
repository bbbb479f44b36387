import { createHash } from 'node:crypto';
import type { Fact } from '../providers/facts.ts';

/** A fact as JSON with sorted names and times as ISO text: equal facts give equal texts. */
export function writeFact(fact: Fact): string {
  return JSON.stringify(fact, Object.keys(fact).sort());
}

/** The digest of a fact: SHA-256 of `writeFact`. */
export function digestOf(fact: Fact): Buffer {
  return createHash('sha256').update(writeFact(fact)).digest();
}

/** The digest of all that one message says, whatever the order of its facts. */
export function digestOfAll(facts: readonly Fact[]): Buffer {
  return createHash('sha256').update(facts.map(writeFact).sort().join('\n')).digest();
}

const TIMES = new Set(['at', 'cancelAt', 'paidAt', 'periodEnd', 'periodStart', 'updatedAt']);

/** A fact as it was stored, with its times as dates again. */
export function parseFact(stored: Readonly<Record<string, unknown>>): Fact {
  const entries = Object.entries(stored).map(([name, value]) => [
    name,
    TIMES.has(name) && typeof value === 'string' ? new Date(value) : value,
  ]);
  return Object.fromEntries(entries);
}
