import type { Act } from './act.ts';
import type { Twin } from './twin.ts';

/** Finds out step by step what solves a task; a list is done in one turn. */
export type Solve = (twin: Twin) => AsyncGenerator<Act | Act[], void>;

/** Text as a string of JavaScript, for an expression in the page. */
export function js(text: string): string {
  return JSON.stringify(text);
}

/** The parts of an utterance that a pattern finds. */
export function parts(text: string, pattern: RegExp): string[] {
  const found = pattern.exec(text);
  if (!found) throw new Error(`not understood: ${text}`);
  return found.slice(1).map((part) => part ?? '');
}

/** What a list of names in an utterance has, without what separates them. */
export function names(list: string): string[] {
  return list
    .split(/,\s*/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Clicks on one element after the other, by expressions that find them. */
export function clicks(...found: string[]): Solve {
  return async function* (twin) {
    for (const each of found) yield await twin.click(each);
  };
}

/** Clicks into a field and types. */
export async function* fill(twin: Twin, field: string, text: string): AsyncGenerator<Act | Act[], void> {
  yield [await twin.click(field), { name: 'type', text }];
}

/** Scrolls what holds an element until it is in sight there. */
export async function* reveal(
  twin: Twin,
  found: string,
  holder = '#area',
): AsyncGenerator<Act | Act[], void> {
  for (let left = 12; left > 0; left -= 1) {
    const off = await twin.read<number>(
      `(() => { const e = (${found}), h = document.querySelector('${holder}'); if (!e || !h) return 0; const a = e.getBoundingClientRect(), b = h.getBoundingClientRect(); const bottom = Math.min(b.bottom, innerHeight); return a.bottom > bottom ? a.bottom - bottom : a.top < b.top ? a.top - b.top : 0; })()`,
    );
    if (Math.abs(off) < 1) return;
    const place = await twin.at(`document.querySelector('${holder}')`);
    const magnitude = Math.max(10, Math.ceil(((Math.abs(off) + 8) / 900) * 1000));
    yield { name: 'scroll', ...place, direction: off > 0 ? 'down' : 'up', magnitude };
  }
}

/** Reveals an element and clicks on it. */
export async function* reach(twin: Twin, found: string, holder = '#area'): AsyncGenerator<Act | Act[], void> {
  yield* reveal(twin, found, holder);
  yield await twin.click(found);
}
