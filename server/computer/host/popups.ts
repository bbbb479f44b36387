import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';

/** How long another tab may take to report its URL. */
const WANTED_TIMEOUT_MS = 2_000;
/** Tabs that a page may have open at once. */
const MAX_POPUPS = 50;

export interface PopupsOptions {
  /** The session of the whole browser. */
  session: CDPSession;
  /** The run's own tab; null while it is replaced. */
  own(): string | null;
  /** Navigates the run's own tab to the URL of another one. */
  follow(url: string): Promise<void>;
  /** Called when the page opens tabs without end. */
  onTooMany(): void;
}

/** Keeps one tab: any other tab is closed, and its URL is opened in the run's own tab. */
export class Popups {
  readonly #options: PopupsOptions;
  /** Tabs that are to be closed and are still there, and the callers who wait for the URL of each. */
  readonly #open = new Map<string, (url: string | null) => void>();
  #work: Promise<void> | null = null;

  constructor(options: PopupsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { session } = this.#options;
    session.on('Target.targetCreated', ({ targetInfo }) => this.#see(targetInfo));
    session.on('Target.targetDestroyed', ({ targetId }) => this.#open.delete(targetId));
    await session.send('Target.setDiscoverTargets', { discover: true });
  }

  /** Closes the tabs that were opened while the run's own tab was not known. */
  async closeOthers(): Promise<void> {
    const { session } = this.#options;
    const { targetInfos } = await session.send('Target.getTargets');
    for (const targetInfo of targetInfos) this.#see(targetInfo);
  }

  has(targetId: string): boolean {
    return this.#open.has(targetId);
  }

  /** Handles the URL that another tab was opened for; null for one that cannot be requested again. */
  wants(targetId: string, url: string | null): void {
    this.#open.get(targetId)?.(url);
  }

  /** Waits until there is no other tab, and the run's own tab is at their URL. Returns false where there was none. */
  async gone(): Promise<boolean> {
    const work = this.#work;
    this.#work = null;
    await work;
    return work !== null;
  }

  #see({ type, targetId }: Protocol.Target.TargetInfo): void {
    const own = this.#options.own();
    if (type !== 'page' || own === null || own === targetId || this.#open.has(targetId)) return;
    const wanted = new Promise<string | null>((resolve) => this.#open.set(targetId, resolve));
    if (this.#open.size > MAX_POPUPS) this.#options.onTooMany();
    const work = this.#replace(targetId, wanted).catch(() => undefined);
    this.#work = Promise.all([this.#work, work]).then(() => undefined);
  }

  async #replace(targetId: string, wanted: Promise<string | null>): Promise<void> {
    const { session, own, follow } = this.#options;
    const url = await Promise.race([wanted, sleep(WANTED_TIMEOUT_MS, null, { ref: false })]);
    await session.send('Target.closeTarget', { targetId });
    const ownId = own();
    if (ownId !== null) await session.send('Target.activateTarget', { targetId: ownId });
    if (url !== null) await follow(url);
  }
}
