import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'puppeteer-core';

const FIRST_MS = 80;
const ANSWER_TIMEOUT_MS = 2_000;
/** Time for a page to begin a navigation that it asked for. */
const BEGIN_TIMEOUT_MS = 3_000;
const LOAD_TIMEOUT_MS = 10_000;
const QUIET_MS = 300;
const QUIET_TIMEOUT_MS = 2_500;
const TICK_MS = 40;
const MAX_DIALOGS = 20;
const MAX_DIALOG_TEXT = 500;

export interface Dialog {
  kind: string;
  text: string;
}

/** Watches a page: whether it loads, which dialogs it shows, whether it crashed. */
export class PageWatch {
  readonly #inFlight = new Set<string>();
  readonly #isWaiting: () => boolean;
  #session: CDPSession | null = null;
  #isLoading = false;
  /** When the page asked for a navigation that has not begun. */
  #requestedAt = -Infinity;
  #lastChange = performance.now();
  #dialogs: Dialog[] = [];
  hasCrashed = false;
  showsDialogsEndlessly = false;

  /** `isWaiting` tells whether a question to the user is open, during which time does not count. */
  constructor(isWaiting: () => boolean) {
    this.#isWaiting = isWaiting;
  }

  /** Watches this page from now on, and ignores what the page before it still does. */
  async attach(page: Page, session: CDPSession, frameId: string): Promise<void> {
    this.#session = session;
    this.#inFlight.clear();
    this.#isLoading = false;
    this.#requestedAt = -Infinity;
    this.takeDialogs();
    this.hasCrashed = false;
    const isWatched = () => this.#session === session;
    const isMain = (id: string) => isWatched() && id === frameId;
    page.on('dialog', (dialog) => {
      if (isWatched()) this.#note({ kind: dialog.type(), text: dialog.message().slice(0, MAX_DIALOG_TEXT) });
      const yes = dialog.type() === 'alert' || dialog.type() === 'beforeunload';
      const answered = yes ? dialog.accept() : dialog.dismiss();
      answered.catch(() => undefined);
    });
    page.on('error', () => {
      this.hasCrashed ||= isWatched();
    });
    session.on('Page.frameStartedLoading', (event) => this.#load(isMain(event.frameId), true));
    session.on('Page.frameStoppedLoading', (event) => this.#load(isMain(event.frameId), false));
    session.on('Page.frameRequestedNavigation', (event) => {
      if (isMain(event.frameId) && event.disposition === 'currentTab') this.#requestedAt = performance.now();
    });
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (!isWatched() || type === 'EventSource' || type === 'WebSocket' || this.#inFlight.size > 1_000)
        return;
      this.#inFlight.add(requestId);
      this.#lastChange = performance.now();
    });
    const over = ({ requestId }: { requestId: string }) => {
      if (this.#inFlight.delete(requestId)) this.#lastChange = performance.now();
    };
    session.on('Network.loadingFinished', over);
    session.on('Network.loadingFailed', over);
    await Promise.all([
      session.send('Page.enable'),
      session.send('Network.enable', { maxTotalBufferSize: 0 }),
    ]);
  }

  /** Waits until the page has loaded and nothing more comes, within bounds; the user's time to answer does not count. */
  async settle(): Promise<void> {
    await Promise.all([sleep(FIRST_MS), this.#drainEvents()]);
    const isGoing = () => this.#isLoading || performance.now() - this.#requestedAt < BEGIN_TIMEOUT_MS;
    await this.#until(() => !isGoing(), LOAD_TIMEOUT_MS);
    const isQuiet = () => this.#inFlight.size === 0 && performance.now() - this.#lastChange >= QUIET_MS;
    await this.#until(() => !isGoing() && isQuiet(), QUIET_TIMEOUT_MS);
    this.#inFlight.clear();
  }

  takeDialogs(): Dialog[] {
    const dialogs = this.#dialogs;
    this.#dialogs = [];
    this.showsDialogsEndlessly = false;
    return dialogs;
  }

  /** Settles as `work` does, or throws `PageHangs` when it takes longer than `ms`, questions to the user apart. */
  async within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
    let isOver = false;
    work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    const watch = this.#until(() => isOver || this.hasCrashed || this.showsDialogsEndlessly, ms).then(
      (done) => {
        if (this.hasCrashed) throw new PageCrashed();
        if (!done || this.showsDialogsEndlessly) throw new PageHangs();
        return work;
      },
    );
    return Promise.race([work, watch]);
  }

  /** Waits until the browser has reported all that the page did so far, however busy it is; within bounds. */
  async #drainEvents(): Promise<void> {
    const answer = this.#session?.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined);
    await Promise.race([answer, sleep(ANSWER_TIMEOUT_MS)]);
  }

  #note(dialog: Dialog) {
    if (this.#dialogs.length < MAX_DIALOGS) this.#dialogs.push(dialog);
    else this.showsDialogsEndlessly = true;
  }

  #load(isMain: boolean, isLoading: boolean) {
    if (!isMain) return;
    this.#isLoading = isLoading;
    this.#requestedAt = -Infinity;
    this.#lastChange = performance.now();
  }

  /** Returns false where it took longer. */
  async #until(condition: () => boolean, ms: number): Promise<boolean> {
    let left = ms;
    let last = performance.now();
    while (!condition()) {
      await sleep(TICK_MS);
      const now = performance.now();
      if (!this.#isWaiting()) left -= now - last;
      last = now;
      if (left <= 0 && !condition()) return false;
    }
    return true;
  }
}

/** Thrown when a page keeps its process busy. */
export class PageHangs extends Error {}
export class PageCrashed extends Error {}
