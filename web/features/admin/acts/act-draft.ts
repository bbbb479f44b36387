import { type Act, type ActName, actSchema } from '#contract/admin/acts.ts';
import type { ModelsScreen } from '#contract/admin/models.ts';

/** What the act concerns, as the operator knows it. */
export interface About {
  who: string | null;
  /** Of the money that it moves. */
  currency?: string;
  /** What a price may be, and from when on. */
  pricing?: ModelsScreen['pricing'];
}

/** An act that is being prepared. Its id is chosen once, so that however often it is sent it is one act. */
export interface ActDraft {
  id: string;
  /** Without what is typed beside the reason: that is as it was typed. */
  act: { act: ActName } & Record<string, unknown>;
  /** How many are given or taken, or what a message is to cost. */
  credits: string;
  days: string;
  from: string;
  reason: string;
  about: About;
  /** It was sent, and no answer came. */
  isUnsure: boolean;
}

/** What is typed for an act beside the reason, in the order of the fields. */
const TYPED = {
  grant: ['credits', 'days'],
  take: ['credits'],
  set_price: ['cost', 'from'],
} as const satisfies { [N in ActName]?: (keyof Extract<Act, { act: N }>)[] };
type Typed<N extends ActName> = N extends keyof typeof TYPED ? (typeof TYPED)[N][number] : never;

/** An act as a screen offers it: the rest is typed in the dialog. */
export type OfferedAct = { [N in ActName]: Omit<Extract<Act, { act: N }>, Typed<N>> }[ActName];

const DAYS_AT_FIRST = '90';

/** A new draft; or the one of the same act that was sent before and never answered, as it was. */
export function beginDraft(act: OfferedAct, about: About, kept: ActDraft | null): ActDraft {
  if (kept?.isUnsure && JSON.stringify(kept.act) === JSON.stringify(act)) return kept;
  const typed = { credits: '', days: DAYS_AT_FIRST, from: '', reason: '' };
  return { id: crypto.randomUUID(), act: { ...act }, ...typed, about, isUnsure: false };
}

/** The act as it would be sent; null while something in it is missing, or out of bounds. */
export function actOf({ act, credits, days, from }: ActDraft): Act | null {
  const values = { credits: wholeOf(credits), cost: wholeOf(credits), days: wholeOf(days), from };
  const typed = fieldsOf(act.act).map((field) => [field, values[field]]);
  const parsed = actSchema.safeParse({ ...act, ...Object.fromEntries(typed) });
  return parsed.success ? parsed.data : null;
}

/** What is typed for it beside the reason. */
export function fieldsOf(act: ActName): readonly Typed<keyof typeof TYPED>[] {
  return act in TYPED ? TYPED[act as keyof typeof TYPED] : [];
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
