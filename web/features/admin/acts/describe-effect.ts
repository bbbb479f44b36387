import type { ActEffect } from '#contract/admin/acts.ts';

/** How values are written. */
export interface Write {
  whole(value: number): string;
  change(value: number): string;
  money(minor: number): string;
  word(kind: 'inboxStatus' | 'blocked' | 'modelState', code: string): string;
  /** Stands for what only carrying it out will show. */
  open: string;
}

export interface EffectText {
  before: string;
  after: string;
  /** The difference with its sign, where it is an amount of credits, and there is one. */
  change: string | null;
}

/** What an act would change, in words. */
export function describeEffect({ what, before, after }: ActEffect, write: Write): EffectText {
  const say = (value: ActEffect['before']) => {
    if (value === null) return write.open;
    if (typeof value === 'boolean') return write.word('blocked', String(value));
    if (typeof value === 'string') {
      if (what === 'model_state') return write.word('modelState', value);
      return what === 'inbox_status' ? write.word('inboxStatus', value) : value;
    }
    return what === 'refund_minor' ? write.money(value) : write.whole(value);
  };
  const isCredits = what === 'balance' || what === 'taken_back' || what === 'unspent';
  const difference = isCredits ? Number(after) - Number(before) : 0;
  return {
    before: say(before),
    after: say(after),
    change: difference === 0 ? null : write.change(difference),
  };
}
