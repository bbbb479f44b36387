import { v7 as newId } from 'uuid';
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

/** The drafts of a tab. */
export interface Drafts {
  /** In the dialog. */
  open: ActDraft | null;
  /** Those that were sent, never answered, and closed: by their acts, as JSON. */
  unsure: Record<string, ActDraft>;
}

/** Opens a new draft; or the one of the same act that was sent before and never answered, as it was. */
export function openDraft({ unsure }: Drafts, act: OfferedAct, about: About): Drafts {
  const typed = { credits: '', days: DAYS_AT_FIRST, from: '', reason: '' };
  const draft = { id: newId(), act: { ...act }, ...typed, about, isUnsure: false };
  return { open: unsure[JSON.stringify(act)] ?? draft, unsure };
}

/** Closes the open draft; one without an answer is kept for when its act is opened again. `isDone`: it has its outcome. */
export function closeDraft({ open, unsure }: Drafts, isDone: boolean): Drafts {
  if (!open) return { open, unsure };
  const key = JSON.stringify(open.act);
  const { [key]: _, ...others } = unsure;
  return { open: null, unsure: isDone || !open.isUnsure ? others : { ...others, [key]: open } };
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

const OPEN_KEY = 'admin-act';
const UNSURE_KEY = 'admin-acts-unsure';

/** What a page that was loaded again goes on with. */
export function readDrafts(): Drafts {
  return { open: read<ActDraft>(OPEN_KEY), unsure: read<Drafts['unsure']>(UNSURE_KEY) ?? {} };
}

export function keepDrafts({ open, unsure }: Drafts): void {
  try {
    sessionStorage.setItem(UNSURE_KEY, JSON.stringify(unsure));
    sessionStorage.setItem(OPEN_KEY, JSON.stringify(open));
  } catch {
    // Storage may be forbidden; then drafts live as long as their page.
  }
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
