import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';

/** How long another tab may take to say where it goes. */
const WANTED_TIMEOUT_MS = 2_000;
const MAX_POPUPS = 50;

export interface PopupsOptions {
  /** The session of the whole browser. */
  session: CDPSession;
  /** The run's own tab; null while another one takes its place. */
  own(): string | null;
  /** Goes in the run's own tab where another one was to go. */
  follow(url: string): Promise<void>;
  /** The page opens tabs without end. */
  onTooMany(): void;
}

/** There is one tab: another one closes, and where it was to go the run's own tab goes. */
export class Popups {
  readonly #options: PopupsOptions;
  /** Tabs that are to close, and who waits for the address that each was opened for. */
  readonly #open = new Map<string, (url: string | null) => void>();
  #work: Promise<void> | null = null;

  constructor(options: PopupsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { session } = this.#options;
    session.on('Target.targetCreated', ({ targetInfo }) => this.#see(targetInfo));
    await session.send('Target.setDiscoverTargets', { discover: true });
  }

  /** Closes what was opened while the run's own tab was not known. */
  async closeOthers(): Promise<void> {
    const { session } = this.#options;
    const { targetInfos } = await session.send('Target.getTargets');
    for (const targetInfo of targetInfos) this.#see(targetInfo);
  }

  has(targetId: string): boolean {
    return this.#open.has(targetId);
  }

  /** Another tab asks for the address that it was opened for; null: one that cannot be asked for again. */
  wants(targetId: string, url: string | null): void {
    this.#open.get(targetId)?.(url);
  }

  /** Waits until no other tab is there, and the run's own is where they were to go. False: there was none. */
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
