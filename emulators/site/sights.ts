/** Something on a page that can be clicked or typed into. `x`, `y`: its middle, as shares of the window. */
export interface SeenElement {
  role: 'link' | 'button' | 'field' | 'choice';
  name: string;
  value: string;
  checked: boolean;
  x: number;
  y: number;
}

/** What a page of the demonstration site shows just now, as its own script tells it. */
export interface Sight {
  visit: string;
  url: string;
  title: string;
  /** Nothing is left beneath the window. */
  atEnd: boolean;
  elements: SeenElement[];
  head: string[];
  /** The rows of tables that are in the window. */
  rows: string[][];
  /** The lines of text in the window. */
  lines: string[];
  /** Everything that is written in the document, hidden or not. */
  everything: string;
}

const KEPT = 200;
const LOOK_EVERY_MS = 25;

/**
 * What the windows of the demonstration site show, by visit: it takes the place of looking at pictures, for the emulated model. Rows
 * that were seen before scrolling are remembered for the visit.
 */
export class Sights {
  private readonly latest = new Map<string, Sight>();
  private readonly rows = new Map<string, Map<string, string[]>>();
  private readonly timeoutMs: number;

  /** @param timeoutMs how long a page is waited for */
  constructor(timeoutMs = 5_000) {
    this.timeoutMs = timeoutMs;
  }

  /** Takes what a page tells. */
  report(sight: Sight): void {
    this.latest.delete(sight.visit);
    this.latest.set(sight.visit, sight);
    const seen = this.rows.get(sight.visit) ?? new Map<string, string[]>();
    for (const row of sight.rows) seen.set(row.join('\t'), row);
    this.rows.set(sight.visit, seen);
    for (const visit of [...this.latest.keys()].slice(0, -KEPT)) {
      this.latest.delete(visit);
      this.rows.delete(visit);
    }
  }

  /** What the window at this address shows; waits for the page to tell. Null: it did not, or is no page of ours. */
  async look(url: string): Promise<Sight | null> {
    const visit = URL.parse(url)?.searchParams.get('visit');
    if (!visit) return null;
    for (let left = this.timeoutMs; ; left -= LOOK_EVERY_MS) {
      const sight = this.latest.get(visit);
      if (sight?.url === url) return sight;
      if (left <= 0) return null;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** All rows of tables that the visit has had in its window. */
  rowsOf(visit: string): string[][] {
    return [...(this.rows.get(visit)?.values() ?? [])];
  }
}
