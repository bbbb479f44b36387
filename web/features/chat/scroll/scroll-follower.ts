import { ScrollAnchor } from './scroll-anchor.ts';

/** Within this many pixels of the end the reader is at the bottom. */
const BOTTOM_PX = 4;
/** With more than so many pixels below the window, the end is far. */
const FAR_PX = 80;
/** Keys by which a reader goes upwards. */
const UPWARDS = ['ArrowUp', 'PageUp', 'Home'];

/**
 * Keeps the end of a growing list in sight while the reader is there, and otherwise what the reader looks at. Any move upwards
 * (wheel, finger, key, scroll bar) and any selection of text stops the following; coming back to the end resumes it.
 */
export class ScrollFollower {
  private following = true;
  private isFar = false;
  private holding = false;
  /** What was brought into sight stays there until the reader moves. */
  private pinned = false;
  /** The last turn listed is the end of the branch. */
  private isEnd = true;
  /** What came late and was seen: from then on it is like all else. */
  private readonly seenLate = new WeakSet<Element>();
  private lastTop = 0;
  /** How far the list could be scrolled when it was last looked at. */
  private lastRoom = 0;
  private lastTouchY = 0;
  private readonly box: HTMLElement;
  private readonly inner: HTMLElement;
  private readonly anchor: ScrollAnchor;
  private readonly onFar: (isFar: boolean) => void;

  constructor(box: HTMLElement, inner: HTMLElement, onFar: (isFar: boolean) => void) {
    this.box = box;
    this.inner = inner;
    this.onFar = onFar;
    this.anchor = new ScrollAnchor(box);
    this.lastTop = box.scrollTop;
  }

  /** Begins to watch; the function it returns ends it. */
  watch(): () => void {
    const controller = new AbortController();
    const options = { passive: true, signal: controller.signal };
    const { box } = this;
    const onScroll = () => {
      this.scrolled();
      this.tellWhetherFar();
    };
    box.addEventListener('scroll', onScroll, options);
    for (const moving of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
      box.addEventListener(moving, () => this.unpin(), options);
    }
    box.addEventListener('wheel', (event) => event.deltaY < 0 && this.leave(), options);
    box.addEventListener('touchstart', (event) => this.touched(event, false), options);
    box.addEventListener('touchmove', (event) => this.touched(event, true), options);
    box.addEventListener('keydown', (event) => isUpwards(event) && this.leave(), options);
    box.addEventListener('focusin', (event) => isField(event) && this.leave(), options);
    box.addEventListener('pointerdown', (event) => this.hold(event), options);
    window.addEventListener('pointerup', () => this.release(), options);
    window.addEventListener('pointercancel', () => this.release(), options);
    document.addEventListener('selectionchange', () => this.selected(), options);
    const grown = new ResizeObserver(() => this.settle());
    grown.observe(this.inner);
    grown.observe(box);
    return () => {
      controller.abort();
      grown.disconnect();
    };
  }

  /** Goes to the end and follows from there. */
  toBottom(): void {
    this.pinned = false;
    this.seeLate();
    this.set(true);
    this.move(this.box.scrollHeight);
  }

  /** Brings an element into sight, a little below the upper edge, and keeps it there. */
  show(element: HTMLElement): void {
    this.set(false);
    const { box } = this;
    const above = element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    this.move(box.scrollTop + above - box.clientHeight / 5);
    this.anchor.set(element);
    this.pinned = true;
  }

  /**
   * Other turns are listed: puts what is held back in its place at once, unless the reader has just moved. Where they do not reach
   * the end, their last one is not followed.
   */
  relisted(isEnd: boolean): void {
    this.isEnd = isEnd;
    if (!isEnd) this.set(false);
    if (this.box.scrollTop !== this.lastTop) this.scrolled();
    this.settle();
  }

  private settle(): void {
    if (this.holding) return;
    if (this.following) this.move(this.placeOfEnd());
    else this.move(this.box.scrollTop + this.anchor.drift());
    this.tellWhetherFar();
  }

  /** Where the end is in sight, all but what came late. Heights are rounded: a pixel that they make is none. */
  private placeOfEnd(): number {
    const late = this.lateHeight();
    const end = this.room() - late;
    const { scrollTop } = this.box;
    return late > 0 && Math.abs(end - scrollTop) <= 1 ? scrollTop : end;
  }

  /** What came with the end of the last turn or after it, while that may be read: the text does not make room for it. */
  private lateHeight(): number {
    return this.unseenLate().reduce((height, late) => height + late.offsetHeight, 0);
  }

  private unseenLate(): HTMLElement[] {
    const all = this.inner.querySelectorAll<HTMLElement>(':scope > article:last-of-type [data-late]');
    return [...all].filter((late) => !this.seenLate.has(late));
  }

  private seeLate(): void {
    for (const late of this.unseenLate()) this.seenLate.add(late);
  }

  private unpin(): void {
    this.pinned = false;
  }

  /**
   * News of scrolling comes a frame late: what layout moved meanwhile is put back before the new place is remembered. A list that
   * was shorter for a moment has gone up by itself, which is no wish of the reader; more than a window is led up by somebody (Tab,
   * a search in the page). A list that grew after its end was reached is read at its end.
   */
  private scrolled(): void {
    const { box } = this;
    const by = box.scrollTop - this.lastTop;
    const isJump = Math.abs(by) > box.clientHeight;
    const wasEnd = this.isEnd && this.lastRoom - box.scrollTop <= BOTTOM_PX;
    this.lastTop = box.scrollTop;
    if (this.isAtBottom() || (by > 0 && wasEnd)) {
      this.seeLate();
      if (by > 0 && !this.holding) this.set(true);
    } else if (by < 0) {
      if (this.following && !isJump && this.room() !== this.lastRoom) this.settle();
      else this.set(false);
    } else if (by > 0 && this.unseenLate().length > 0) {
      // On the way down to what came late: that is read now, and stays where it is.
      this.set(false);
    }
    if (this.following || this.pinned || by === 0) return;
    if (!isJump && !this.holding) this.move(box.scrollTop + this.anchor.shift());
    this.anchor.take();
  }

  private move(top: number): void {
    const { box } = this;
    if (Math.abs(top - box.scrollTop) >= 1) box.scrollTop = top;
    this.lastTop = box.scrollTop;
    this.lastRoom = this.room();
    this.anchor.restored();
  }

  /** A finger that goes down moves the list up. */
  private touched(event: TouchEvent, moved: boolean): void {
    const y = event.touches[0]?.clientY ?? 0;
    if (moved && y > this.lastTouchY) this.leave();
    this.lastTouchY = y;
  }

  /** The scroll bar lies beside the content of the box; while it is held, nothing moves under the hand. */
  private hold(event: PointerEvent): void {
    const right = this.box.getBoundingClientRect().left + this.box.clientLeft + this.box.clientWidth;
    if (event.target === this.box && event.clientX >= right) this.holding = true;
  }

  private release(): void {
    if (!this.holding) return;
    this.holding = false;
    this.set(this.isAtBottom());
  }

  private selected(): void {
    const selection = getSelection();
    if (selection && !selection.isCollapsed && this.inner.contains(selection.anchorNode)) this.leave();
  }

  private leave(): void {
    if (this.box.scrollHeight > this.box.clientHeight) this.set(false);
  }

  private isAtBottom(): boolean {
    return this.isEnd && this.room() - this.box.scrollTop <= BOTTOM_PX;
  }

  private room(): number {
    return this.box.scrollHeight - this.box.clientHeight;
  }

  private set(following: boolean): void {
    if (following === this.following) return;
    this.following = following;
    if (!following) this.anchor.take();
  }

  /** Tells when the end goes far out of sight, and when it comes near. */
  private tellWhetherFar(): void {
    const isFar = !this.following && (!this.isEnd || this.room() - this.box.scrollTop > FAR_PX);
    if (isFar === this.isFar) return;
    this.isFar = isFar;
    this.onFar(isFar);
  }
}

/** Who writes a question anew, in its place, looks there; what is typed into a page that is driven goes elsewhere. */
function isField({ target }: FocusEvent): boolean {
  return target instanceof HTMLTextAreaElement && !target.closest('.computer-run');
}

function isUpwards({ key, shiftKey, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLTextAreaElement) return false;
  return UPWARDS.includes(key) || (key === ' ' && shiftKey);
}
