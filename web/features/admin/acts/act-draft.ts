import { type Act, type ActName, actSchema } from '#contract/admin/acts.ts';

/** What the act concerns, as the operator knows it. */
export interface About {
  who: string | null;
  /** Of the money that it moves. */
  currency?: string;
}

/** An act that is being prepared. Its id is chosen once, so that however often it is sent it is one act. */
export interface ActDraft {
  id: string;
  /** Without the numbers and the reason, which are as they were typed. */
  act: { act: ActName } & Record<string, unknown>;
  credits: string;
  days: string;
  reason: string;
  about: About;
  /** It was sent, and no answer came. */
  isUnsure: boolean;
}

/** An act as a screen offers it: the numbers are typed in the dialog. */
export type OfferedAct = { [N in ActName]: Omit<Extract<Act, { act: N }>, 'credits' | 'days'> }[ActName];

const DAYS_AT_FIRST = '90';

/** A new draft; or the one of the same act that was sent before and never answered, as it was. */
export function beginDraft(act: OfferedAct, about: About, kept: ActDraft | null): ActDraft {
  if (kept?.isUnsure && JSON.stringify(kept.act) === JSON.stringify(act)) return kept;
  const typed = { credits: '', days: DAYS_AT_FIRST, reason: '' };
  return { id: crypto.randomUUID(), act: { ...act }, ...typed, about, isUnsure: false };
}

/** The act as it would be sent; null while a number in it is none, or out of bounds. */
export function actOf({ act, credits, days }: ActDraft): Act | null {
  const numbers = {
    ...(hasCredits(act.act) ? { credits: wholeOf(credits) } : {}),
    ...(act.act === 'grant' ? { days: wholeOf(days) } : {}),
  };
  const parsed = actSchema.safeParse({ ...act, ...numbers });
  return parsed.success ? parsed.data : null;
}

/** Whether an amount of credits is typed for it. */
export function hasCredits(act: ActName): boolean {
  return act === 'grant' || act === 'take';
}

/** NaN for anything but a whole number; full-width digits are digits. */
export function wholeOf(text: string): number {
  const plain = text.normalize('NFKC').replace(/[\s,]/g, '');
  return /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
}

const KEY = 'admin-act';

/** What a page that was loaded again goes on with. */
export function readDraft(): ActDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as ActDraft | null;
  } catch {
    return null;
  }
}

export function keepDraft(draft: ActDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage may be forbidden; then a draft lives as long as its page.
  }
}
