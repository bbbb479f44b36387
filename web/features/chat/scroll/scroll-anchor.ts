/** How far below the upper edge the first text is looked for, in pixels. */
const PROBES_PX = [2, 24, 48, 96, 160];

/**
 * What stands at the upper edge of a scrolling box, and where. Browsers keep it in place by themselves only in part (not at the
 * very top, and Safari not at all), so the box does it for all.
 */
export class ScrollAnchor {
  private element: Element | null = null;
  private turn: Element | null = null;
  private top = 0;
  private turnTop = 0;
  private scrollTop = 0;
  private readonly box: HTMLElement;

  constructor(box: HTMLElement) {
    this.box = box;
  }

  /**
   * Remembers what is at the upper edge now; where nothing is, what was there before is forgotten, which would lead elsewhere. While a
   * part of the list fills the window, nobody reads the list: what was read before is kept.
   */
  take(): void {
    if (this.box.querySelector('[aria-modal]')) return;
    const found = this.probe();
    if (found) this.set(this.turnInSight(found) ?? found);
    else this.element = this.turn = null;
  }

  /** Remembers one element and where it is. */
  set(element: Element): void {
    this.element = element;
    this.turn = element.closest('article');
    this.top = this.offsetOf(element);
    this.turnTop = this.turn ? this.offsetOf(this.turn) : 0;
    this.scrollTop = this.box.scrollTop;
  }

  /** The box was scrolled to put it back in its place. */
  restored(): void {
    this.scrollTop = this.box.scrollTop;
  }

  /** By how many pixels it has moved since; 0 when it is no longer there. */
  drift(): number {
    if (this.element?.isConnected) return this.offsetOf(this.element) - this.top;
    return this.turn?.isConnected ? this.offsetOf(this.turn) - this.turnTop : 0;
  }

  /** By how many pixels layout alone has moved it since, whatever was scrolled; 0 when it is no longer there. */
  shift(): number {
    if (!this.element?.isConnected && !this.turn?.isConnected) return 0;
    return this.drift() + this.box.scrollTop - this.scrollTop;
  }

  private probe(): Element | null {
    const { left, top, width } = this.box.getBoundingClientRect();
    for (const below of PROBES_PX) {
      const all = document.elementsFromPoint(left + width / 2, top + below);
      // What floats over the list, as a toast does, does not move with it.
      const found = all.find(
        (each) => this.box.contains(each) && each.closest('article, [popover]')?.matches('article'),
      );
      if (found) return found;
    }
    return null;
  }

  /** The first turn that begins in sight: unlike a part of an answer, it is laid out even while it is far away. */
  private turnInSight(found: Element): Element | null {
    let turn = found.closest('article');
    if (turn && this.offsetOf(turn) < 0) turn = turn.nextElementSibling?.closest('article') ?? null;
    return turn && this.offsetOf(turn) < this.box.clientHeight ? turn : null;
  }

  private offsetOf(element: Element): number {
    return element.getBoundingClientRect().top - this.box.getBoundingClientRect().top;
  }
}
