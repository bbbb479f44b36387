import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const PAUSE_MS = 50;

/** Remembers the emulators of one process over a restart, each under its name, in one JSON file written whole. */
export class StateFile {
  readonly #path: string | null;
  readonly #sources = new Map<string, () => unknown>();
  #content: Record<string, unknown> = {};
  #timer: NodeJS.Timeout | null = null;

  /** Null: nothing is remembered. A file that cannot be read is as none. */
  constructor(path: string | null) {
    this.#path = path;
    try {
      const content: unknown = path === null ? {} : JSON.parse(readFileSync(path, 'utf8'));
      if (typeof content === 'object' && content !== null) this.#content = { ...content };
    } catch {
      this.#content = {};
    }
  }

  read(name: string): unknown {
    return this.#content[name];
  }

  /** From now on `source` says what is to be remembered under `name`. */
  keep(name: string, source: () => unknown) {
    this.#sources.set(name, source);
  }

  /** Something changed: write soon. */
  touch() {
    if (this.#path === null || this.#timer) return;
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Writes now what was touched. */
  flush() {
    if (this.#path === null || !this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    for (const [name, source] of this.#sources) this.#content[name] = source();
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}.part`;
    writeFileSync(draft, JSON.stringify(this.#content), { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}
