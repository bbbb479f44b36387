import type { KeyInput, Page } from 'puppeteer-core';
import { type Act, gridOf, pixelOf, WINDOW } from './act.ts';

/** Finds an element in the page: `$1(selector)` the first in sight, `$t(selector, text)` the one with that text. */
const FINDERS = `
  const inSight = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== 'hidden'; };
  const words = (e) => (e.textContent || '').replace(/\\s+/g, ' ').trim();
  const all = (s) => [...document.querySelectorAll(s)].filter(inSight);
  const $1 = (s) => all(s)[0];
  const $t = (s, t) => all(s).find((e) => words(e) === t.trim());
  const query = () => words(document.querySelector('#query'));
  const bold = () => [...document.querySelectorAll('#query .bold, #query b')].map(words);
`;
const SETTLE_MS = 60;

/** The oracle’s own copy of a task: it looks into the page, and does there what it answers the product with. */
export class Twin {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** What an expression comes to in the page. */
  read<T>(expression: string): Promise<T> {
    return this.page.evaluate(`(() => { ${FINDERS} return (${expression}); })()`) as Promise<T>;
  }

  /** The utterance of the task. */
  query(): Promise<string> {
    return this.read('query()');
  }

  /** The words of the utterance that stand out. */
  bold(): Promise<string[]> {
    return this.read('bold()');
  }

  /** A click on the element that the expression finds: on its middle, or where that is covered, on a place that is not. */
  async click(
    found: string,
    name: 'click' | 'triple_click' | 'double_click' | 'move' = 'click',
  ): Promise<Act> {
    const [shareX, shareY] = await this.read<[number, number]>(
      `(() => { const e = ${found}; if (!e) return [0.5, 0.5]; const r = e.getBoundingClientRect(); const shares = [0.5, 0.2, 0.8]; return shares.flatMap((x) => shares.map((y) => [x, y])).find(([x, y]) => e.contains(document.elementFromPoint(r.left + r.width * x, r.top + r.height * y))) || [0.5, 0.5]; })()`,
    );
    return { name, ...(await this.at(found, shareX, shareY)) };
  }

  /** Where an element is, at a share of its width and height. */
  async at(found: string, shareX = 0.5, shareY = 0.5): Promise<{ x: number; y: number }> {
    const box = await this.read<[number, number] | null>(
      `(() => { const e = ${found}; if (!e) return null; const r = e.getBoundingClientRect(); return [r.left + r.width * ${shareX}, r.top + r.height * ${shareY}]; })()`,
    );
    if (!box) throw new Error(`nothing found: ${found}`);
    return this.grid(box[0], box[1]);
  }

  grid(x: number, y: number): { x: number; y: number } {
    return { x: gridOf(x, WINDOW.width), y: gridOf(y, WINDOW.height) };
  }

  /** From one place to another, held. */
  drag(from: { x: number; y: number }, to: { x: number; y: number }): Act {
    return { name: 'drag_and_drop', ...from, destination_x: to.x, destination_y: to.y };
  }

  /** Does an action here as the product does it there. */
  async do(act: Act): Promise<void> {
    const { mouse, keyboard } = this.page;
    const [x, y] = 'x' in act ? [pixelOf(act.x, WINDOW.width), pixelOf(act.y, WINDOW.height)] : [0, 0];
    if (act.name === 'click') await mouse.click(x, y);
    else if (act.name === 'double_click') await mouse.click(x, y, { count: 2 });
    else if (act.name === 'triple_click') await mouse.click(x, y, { count: 3 });
    else if (act.name === 'move') await mouse.move(x, y, { steps: 3 });
    else if (act.name === 'mouse_down') {
      await mouse.move(x, y);
      await mouse.down();
    } else if (act.name === 'mouse_up') {
      await mouse.move(x, y);
      await mouse.up();
    } else if (act.name === 'drag_and_drop') await this.doDrag(x, y, act);
    else if (act.name === 'scroll') {
      await mouse.move(x, y);
      const by = (act.magnitude / 1000) * WINDOW.height;
      await mouse.wheel({ deltaY: act.direction === 'up' ? -by : by });
    } else if (act.name === 'type') {
      await keyboard.type(act.text);
      if (act.press_enter) await keyboard.press('Enter');
    } else if (act.name === 'press_key') await keyboard.press(act.key as KeyInput);
    else if (act.name === 'key_down') await keyboard.down(act.key as KeyInput);
    else if (act.name === 'key_up') await keyboard.up(act.key as KeyInput);
    else if (act.name === 'hotkey') {
      for (const key of act.keys) await keyboard.down(key as KeyInput);
      for (const key of act.keys.toReversed()) await keyboard.up(key as KeyInput);
    } else if (act.name === 'wait') await sleep(act.seconds * 1000);
    await sleep(SETTLE_MS);
  }

  private async doDrag(x: number, y: number, act: Extract<Act, { name: 'drag_and_drop' }>) {
    const { mouse } = this.page;
    await mouse.move(x, y);
    await mouse.down();
    const to = [pixelOf(act.destination_x, WINDOW.width), pixelOf(act.destination_y, WINDOW.height)] as const;
    await mouse.move(to[0], to[1], { steps: 12 });
    await mouse.up();
  }

  /** Whether the task is over here, and with which reward. */
  async reward(): Promise<number | null> {
    return this.page.evaluate('window.WOB_DONE_GLOBAL ? window.WOB_RAW_REWARD_GLOBAL : null') as Promise<
      number | null
    >;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
