const KEY = 'first-question';
/** How long a question waits for an account. */
const QUESTION_KEPT_MS = 3_600_000;

/**
 * What a visitor typed on the home page, until it is the first message of an account. It lies in this browser, and a tab may have it
 * that holds its number: the one in which it was typed, and one that a mail's link opened.
 */
interface Kept {
  text: string;
  number: string;
  at: number;
  /** Whose composer has it; null before anyone signed in with it. */
  userId: string | null;
}

/** Keeps what is typed; an empty text is forgotten. */
export function keepFirstQuestion(text: string): void {
  const trimmed = text.trim();
  const number = trimmed === '' ? null : (ownNumber() ?? Math.random().toString(36).slice(2));
  write(number === null ? null : { text: trimmed, number, at: Date.now(), userId: null });
  setOwnNumber(number);
}

/** What was typed in this tab; empty without one. */
export function readFirstQuestion(): string {
  const kept = read();
  return kept && kept.number === ownNumber() ? kept.text : '';
}

/** For a page that a mail's link opened in another tab: the question goes on in this one. */
export function followFirstQuestion(): void {
  const kept = read();
  if (kept && ownNumber() === null) setOwnNumber(kept.number);
}

/** The question for the composer of this user; empty when there is none, or it is another's. */
export function takeFirstQuestion(userId: string): string {
  const kept = read();
  if (!kept || kept.number !== ownNumber()) return '';
  setOwnNumber(null);
  if (kept.userId !== null && kept.userId !== userId) return '';
  write({ ...kept, userId });
  return kept.text;
}

/** It was sent or changed, or its user signs out. */
export function clearFirstQuestion(): void {
  setOwnNumber(null);
  write(null);
}

function read(): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    if (typeof kept?.text !== 'string') return null;
    return kept.at > Date.now() - QUESTION_KEPT_MS ? kept : null;
  } catch {
    return null;
  }
}

function write(kept: Kept | null): void {
  try {
    if (kept) localStorage.setItem(KEY, JSON.stringify(kept));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is full or forbidden: the question is typed again.
  }
}

function ownNumber(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function setOwnNumber(number: string | null): void {
  try {
    if (number === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, number);
  } catch {
    // As above.
  }
}
