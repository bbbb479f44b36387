/** Most secrets that wait to be told; longest secret in characters. */
const MAX_SECRETS = 200;
const MAX_LENGTH = 1_000;

/** The focused field, which takes a secret: its content, null where that cannot be read. */
export interface SecretField {
  value: string | null;
}

/**
 * Collects the secrets that a user types: the keys as typed, which is all that is known of a field that cannot be read or a page that
 * leaves at the last letter, and the content of the field at the end.
 */
export class TypedSecrets {
  readonly #look: () => Promise<SecretField | null>;
  #found = new Set<string>();
  #typed = '';
  /** Such a field was typed into, and not read since. */
  #isOpen = false;

  /** `look` returns the focused field; null where it takes no secret. */
  constructor(look: () => Promise<SecretField | null>) {
    this.#look = look;
  }

  /** Called before a text is typed. */
  async type(text: string): Promise<void> {
    if ((await this.#look()) === null) return this.#close();
    this.#typed += text;
    this.#isOpen = true;
  }

  /** Removes the last character. */
  erase(): void {
    this.#typed = [...this.#typed].slice(0, -1).join('');
  }

  /** Called before anything that may leave the field or submit it. Never rejects. */
  async end(): Promise<void> {
    if (!this.#isOpen) return;
    const field = await this.#look().catch(() => null);
    this.#keep(field?.value ?? '');
    this.#close();
  }

  /** Returns the secrets that were typed since the last call. Never rejects. */
  async take(): Promise<string[]> {
    await this.end();
    const found = [...this.#found];
    this.#found = new Set();
    return found;
  }

  #close(): void {
    this.#keep(this.#typed);
    this.#typed = '';
    this.#isOpen = false;
  }

  #keep(text: string): void {
    const secret = text.slice(0, MAX_LENGTH);
    if (secret.trim() === '' || this.#found.has(secret)) return;
    const [oldest = ''] = this.#found;
    if (this.#found.size >= MAX_SECRETS) this.#found.delete(oldest);
    this.#found.add(secret);
  }
}
