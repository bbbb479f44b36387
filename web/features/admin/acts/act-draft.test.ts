import { describe, expect, it } from 'vitest';
import { actOf, beginDraft, type OfferedAct, wholeOf } from './act-draft.ts';

const userId = '0197b7f0-0000-7000-8000-000000000001';
const grant: OfferedAct = { act: 'grant', userId };
const about = { who: 'a@example.test' };

describe('an act that is being prepared', () => {
  it('is none until its numbers are whole and within their bounds', () => {
    const draft = beginDraft(grant, about, null);
    expect(actOf(draft)).toBeNull();
    for (const credits of ['0', '1.5', '-3', 'five', '1000001', '1e3']) {
      expect(actOf({ ...draft, credits })).toBeNull();
    }
    expect(actOf({ ...draft, credits: '500', days: '0' })).toBeNull();
    expect(actOf({ ...draft, credits: '500' })).toEqual({ act: 'grant', userId, credits: 500, days: 90 });
  });

  it('takes credits without days, and needs no number where there is none', () => {
    const take = { ...beginDraft({ act: 'take', userId }, about, null), credits: '1,000' };
    expect(actOf(take)).toEqual({ act: 'take', userId, credits: 1000 });
    expect(actOf(beginDraft({ act: 'sign_out', userId }, about, null))).toEqual({ act: 'sign_out', userId });
  });

  it('has another id each time it begins', () => {
    expect(beginDraft(grant, about, null).id).not.toBe(beginDraft(grant, about, null).id);
  });

  it('goes on as it was, under its id, where no answer came to it', () => {
    const kept = { ...beginDraft(grant, about, null), credits: '5', reason: 'goodwill', isUnsure: true };
    expect(beginDraft({ ...grant }, about, kept)).toBe(kept);
    expect(beginDraft({ act: 'take', userId }, about, kept).id).not.toBe(kept.id);
    expect(beginDraft(grant, about, { ...kept, isUnsure: false }).id).not.toBe(kept.id);
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
