/** Of one run, and the characters of one. */
const MAX_SECRETS = 200;
const MAX_LENGTH = 1_000;

/** A field that takes a secret and has the focus: what stands in it, null where that cannot be read. */
export interface SecretField {
  value: string | null;
}

/**
 * What a user types themselves into fields that take a secret: as it was typed, which is all that is known of a field that cannot be
 * read or a page that leaves at the last letter, and as it stands in the field in the end.
 */
export class TypedSecrets {
  readonly #look: () => Promise<SecretField | null>;
  #found = new Set<string>();
  #count = 0;
  #typed = '';
  /** Something was typed into such a field, which was not read since. */
  #isOpen = false;

  /** `look` finds the field that has the focus; null where it takes no secret. */
  constructor(look: () => Promise<SecretField | null>) {
    this.#look = look;
  }

  /** Before a text is typed. */
  async type(text: string): Promise<void> {
    if ((await this.#look()) === null) return this.#close();
    this.#typed += text;
    this.#isOpen = true;
  }

  /** The last character is taken back. */
  erase(): void {
    this.#typed = [...this.#typed].slice(0, -1).join('');
  }

  /** Before anything that may leave the field or send it. Never rejects. */
  async end(): Promise<void> {
    if (!this.#isOpen) return;
    const field = await this.#look().catch(() => null);
    this.#keep(field?.value ?? '');
    this.#close();
  }

  /** What was typed since the last call. Never rejects. */
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
    if (secret.trim() === '' || this.#count >= MAX_SECRETS || this.#found.has(secret)) return;
    this.#found.add(secret);
    this.#count += 1;
  }
}
