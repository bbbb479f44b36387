import { describe, expect, it } from 'vitest';
import { describeEffect } from './describe-effect.ts';

const write = {
  whole: (value: number) => `n${value}`,
  change: (value: number) => (value > 0 ? `+${value}` : `−${-value}`),
  money: (minor: number) => `$${minor / 100}`,
  word: (kind: string, code: string) => `${kind}:${code}`,
  open: 'open',
};

describe('what an act would change, in words', () => {
  it.each([
    ['credits have their difference with its sign', 'balance', 40, 540, ['n40', 'n540', '+500']],
    ['credits that are taken have a minus', 'balance', 540, 40, ['n540', 'n40', '−500']],
    ['what is taken back is credits', 'taken_back', 0, 300, ['n0', 'n300', '+300']],
    ['what is unspent is credits', 'unspent', 260, 0, ['n260', 'n0', '−260']],
    ['what stays has no difference', 'taken_back', 300, 300, ['n300', 'n300', null]],
    ['money is written in its currency, without a difference', 'refund_minor', 690, 0, ['$6.9', '$0', null]],
    ['sessions and differences are counts', 'sessions', 3, 0, ['n3', 'n0', null]],
    [
      'a state of a model is a word',
      'model_state',
      'on',
      'paused',
      ['modelState:on', 'modelState:paused', null],
    ],
    ['a dispute is a word', 'blocked', true, false, ['blocked:true', 'blocked:false', null]],
    [
      'a state is a word, and open before it is known',
      'inbox_status',
      'failed',
      null,
      ['inboxStatus:failed', 'open', null],
    ],
  ] as const)('%s', (_, what, before, after, [saidBefore, saidAfter, change]) => {
    expect(describeEffect({ what, before, after }, write)).toEqual({
      before: saidBefore,
      after: saidAfter,
      change,
    });
  });
});
