type Watcher = (jpeg: string) => void;

/** How long another process gets pictures after it reported a watcher. */
const REMOTE_MS = 15_000;
/** Time between two pictures for another process; they go through the database. */
const REMOTE_GAP_MS = 300;

/** The live picture of one run: the browser sends it only while a user watches. */
export class Screen {
  private last: string | null = null;
  private readonly watchers = new Set<Watcher>();
  private remoteTimer: NodeJS.Timeout | undefined;
  private storedAt = Number.NEGATIVE_INFINITY;
  private storeTimer: NodeJS.Timeout | undefined;
  private readonly onWanted: (isWanted: boolean) => void;
  private readonly store: (jpeg: string) => void;

  constructor(onWanted: (isWanted: boolean) => void, store: (jpeg: string) => void) {
    this.onWanted = onWanted;
    this.store = store;
  }

  /** Takes a new picture. */
  show(jpeg: string) {
    this.last = jpeg;
    for (const watcher of this.watchers) watcher(jpeg);
    this.storeInTime();
  }

  /** Calls `watcher` with the last picture, if there is one, and with each new one, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    if (this.watchers.size === 1) this.onWanted(true);
    if (this.last !== null) watcher(this.last);
    return () => {
      if (this.watchers.delete(watcher)) this.rest();
    };
  }

  /** Records that a user watches at another process. */
  watchRemotely() {
    const isNew = this.remoteTimer === undefined;
    clearTimeout(this.remoteTimer);
    this.remoteTimer = setTimeout(() => {
      this.remoteTimer = undefined;
      this.rest();
    }, REMOTE_MS).unref();
    if (!isNew) return;
    this.onWanted(true);
    this.storeInTime();
  }

  /** Called when the browser has started: reports again whether it is watched. */
  refresh() {
    if (this.watchers.size > 0 || this.remoteTimer !== undefined) this.onWanted(true);
  }

  close() {
    clearTimeout(this.remoteTimer);
    clearTimeout(this.storeTimer);
    this.remoteTimer = undefined;
    this.watchers.clear();
  }

  /** Stores the last picture: now, or once the time between two is over. */
  private storeInTime() {
    if (this.remoteTimer === undefined || this.storeTimer !== undefined) return;
    const left = this.storedAt + REMOTE_GAP_MS - performance.now();
    if (left > 0) {
      this.storeTimer = setTimeout(() => {
        this.storeTimer = undefined;
        this.storeInTime();
      }, left).unref();
    } else if (this.last !== null) {
      this.storedAt = performance.now();
      this.store(this.last);
    }
  }

  private rest() {
    if (this.watchers.size === 0 && this.remoteTimer === undefined) this.onWanted(false);
  }
}
