import { randomUUID } from 'node:crypto';
import type { Asked, HostEvent } from './protocol.ts';

const MAX_QUESTIONS = 40;

export type Question = Omit<Asked, 'event' | 'runId' | 'askId'>;

/** The questions of a run that wait for its user. Each is answered once, with yes or no. */
export class Questions {
  readonly #open = new Map<string, Question & { answer(yes: boolean): void; withdraw(): void }>();
  /** Ids of questions that are over without an answer. */
  readonly #withdrawn = new Set<string>();
  readonly #runId: string;
  readonly #tell: (event: HostEvent) => void;
  /** Questions that were answered with no. They are not asked again in this run, unless the site is allowed. */
  readonly #refused = new Set<string>();
  #count = 0;
  /** The last question that was answered with no since this was read. */
  #denied: Question | null = null;

  constructor(runId: string, tell: (event: HostEvent) => void) {
    this.#runId = runId;
    this.#tell = tell;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Asks, and resolves with true for yes. Beyond a number of questions in a run the answer is no. */
  ask(question: Question): Promise<boolean> {
    if (this.#refused.has(keyOf(question)) || this.#count >= MAX_QUESTIONS) {
      this.#denied = question;
      return Promise.resolve(false);
    }
    this.#count += 1;
    const askId = randomUUID();
    return new Promise((resolve) => {
      const answer = (yes: boolean) => {
        if (!this.#open.delete(askId)) return;
        if (!yes) {
          this.#denied = question;
          this.#refused.add(keyOf(question));
        }
        resolve(yes);
      };
      const withdraw = () => {
        this.#open.delete(askId);
        this.#withdrawn.add(askId);
        this.#tell({ event: 'withdrawn', runId: this.#runId, askId });
        resolve(false);
      };
      this.#open.set(askId, { ...question, answer, withdraw });
      this.#tell({ event: 'asked', runId: this.#runId, askId, ...question });
    });
  }

  /** Answers a question, where it was not withdrawn. Returns false where there is none (any more) by this id. */
  answer(askId: string, yes: boolean): boolean {
    const found = this.#open.get(askId);
    found?.answer(yes);
    return found !== undefined || this.#withdrawn.has(askId);
  }

  /** Answers yes to all questions that are about this site alone. */
  allowSite(site: string): void {
    this.#refused.delete(keyOf({ kind: 'new_site', site }));
    for (const each of this.#open.values())
      if (each.kind === 'new_site' && each.site === site) each.answer(true);
  }

  /** Ends the questions about where the tab goes, because it goes somewhere else: their sites may be asked about again. */
  withdrawNavigations(): void {
    for (const each of this.#open.values()) if (each.kind !== 'sensitive_field') each.withdraw();
  }

  denyAll(): void {
    for (const each of this.#open.values()) each.answer(false);
  }

  takeDenied(): Question | null {
    const denied = this.#denied;
    this.#denied = null;
    return denied;
  }
}

function keyOf({ kind, site, field }: Pick<Question, 'kind' | 'site' | 'field'>): string {
  return `${kind} ${site} ${field ?? ''}`;
}
