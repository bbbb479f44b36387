import { describe, expect, it } from 'vitest';
import {
  type ActDraft,
  actOf,
  closeDraft,
  type Drafts,
  type OfferedAct,
  openDraft,
  wholeOf,
} from './act-draft.ts';

const userId = '0197b7f0-0000-7000-8000-000000000001';
const grant: OfferedAct = { act: 'grant', userId };
const about = { who: 'a@example.test' };
const NONE: Drafts = { open: null, unsure: {} };

/** Opens an act, and what is typed for it. */
function open(drafts: Drafts, act: OfferedAct, typed: Partial<ActDraft> = {}): Drafts & { open: ActDraft } {
  const opened = openDraft(drafts, act, about);
  if (!opened.open) throw new Error('nothing is open');
  return { ...opened, open: { ...opened.open, ...typed } };
}

describe('an act that is being prepared', () => {
  it('is none until its numbers are whole and within their bounds', () => {
    const { open: draft } = open(NONE, grant);
    expect(actOf(draft)).toBeNull();
    for (const credits of ['0', '1.5', '-3', 'five', '1000001', '1e3']) {
      expect(actOf({ ...draft, credits })).toBeNull();
    }
    expect(actOf({ ...draft, credits: '500', days: '0' })).toBeNull();
    expect(actOf({ ...draft, credits: '500' })).toEqual({ act: 'grant', userId, credits: 500, days: 90 });
  });

  it('takes credits without days, and needs no number where there is none', () => {
    const take = open(NONE, { act: 'take', userId }, { credits: '1,000' }).open;
    expect(actOf(take)).toEqual({ act: 'take', userId, credits: 1000 });
    const signOut = open(NONE, { act: 'sign_out', userId }).open;
    expect(actOf(signOut)).toEqual({ act: 'sign_out', userId });
  });

  it('has another id each time it begins', () => {
    const first = open(NONE, grant);
    expect(open(closeDraft(first, false), grant).open.id).not.toBe(first.open.id);
  });

  it('goes on as it was, under its id, where no answer came to it, whatever was opened since', () => {
    const unsure = open(NONE, grant, { credits: '5', reason: 'goodwill', isUnsure: true });
    const other = open(closeDraft(unsure, false), { act: 'grant', userId: userId.replace('1', '2') });
    expect(other.open.id).not.toBe(unsure.open.id);
    const closed = closeDraft({ ...other, open: { ...other.open, isUnsure: true } }, false);
    const third = open(closed, { act: 'take', userId });
    expect(third.open.isUnsure).toBe(false);
    expect(open(closeDraft(third, true), { ...grant }).open).toEqual(unsure.open);
  });

  it('is another one once it has its answer', () => {
    const unsure = open(NONE, grant, { isUnsure: true });
    const again = open(closeDraft(unsure, false), grant);
    expect(again.open.id).toBe(unsure.open.id);
    expect(closeDraft(again, true)).toEqual(NONE);
    expect(closeDraft({ ...again, open: { ...again.open, isUnsure: false } }, false)).toEqual(NONE);
  });
});

describe('a number that is typed', () => {
  it.each([
    ['500', 500],
    [' 1,000 ', 1000],
    ['１２３', 123],
    ['', Number.NaN],
    ['12a', Number.NaN],
  ])('%j is %d', (text, value) => {
    expect(wholeOf(text)).toBe(value);
  });
});
