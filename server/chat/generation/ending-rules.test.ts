import { expect, test } from 'vitest';
import type { AnswerPart } from '#contract/message/parts.ts';
import { countFree, decideEnding } from './ending-rules.ts';

test.each([
  ['finished', 'Paris.', { status: 'completed', charged: true, errorCode: null, reason: 'completed' }],
  [
    'finished',
    ' \n\t',
    { status: 'failed', charged: false, errorCode: 'upstream_empty', reason: 'upstream_empty' },
  ],
  [
    'finished',
    '',
    { status: 'failed', charged: false, errorCode: 'upstream_empty', reason: 'upstream_empty' },
  ],
  ['stopped', 'Par', { status: 'stopped', charged: true, errorCode: null, reason: 'stopped' }],
  ['stopped', ' ', { status: 'stopped', charged: false, errorCode: null, reason: 'stopped' }],
  ['stopped', '', { status: 'stopped', charged: false, errorCode: null, reason: 'stopped' }],
  [
    { failed: 'upstream_timeout' },
    'Par',
    { status: 'failed', charged: false, errorCode: 'upstream_timeout', reason: 'upstream_timeout' },
  ],
] as const)('%o after "%s" is %o', (cause, answer, ending) => {
  expect(decideEnding(cause, [{ kind: 'text', text: answer }])).toEqual(ending);
});

test.each([
  [{ kind: 'call', id: 'a', name: 'f', args: '{}' }, 'completed'],
  [{ kind: 'code', language: 'python', code: '1' }, 'completed'],
  [{ kind: 'reasoning', text: 'Hm.' }, 'failed'],
  [{ kind: 'sources', sources: [], supports: [], queries: [] }, 'failed'],
  [{ kind: 'table', n: 1, title: '', url: '', hasHead: false, isCut: false, rows: [] }, 'failed'],
] as const)('an answer of %o alone is %s', (part, status) => {
  expect(decideEnding('finished', [part as AnswerPart]).status).toBe(status);
});

test.each([
  ['upstream_failed', { status: 'completed', charged: true }],
  ['internal', { status: 'completed', charged: true }],
  ['picture_blocked', { status: 'failed', charged: false }],
  ['upstream_blocked', { status: 'failed', charged: false }],
] as const)('a picture that was made before %s ends as %o', (failed, ending) => {
  const picture = { kind: 'image', fileId: 'a' } as const;
  expect(decideEnding({ failed }, [picture], { isPicture: true })).toMatchObject(ending);
  expect(decideEnding({ failed }, [{ kind: 'text', text: 'Here is' }], { isPicture: true }).charged).toBe(
    false,
  );
  expect(decideEnding({ failed }, [picture, { kind: 'text', text: 'A plot.' }])).toMatchObject({
    ...{ status: 'failed', charged: false },
  });
});

test.each([
  ['model_error', true, true],
  ['parse', true, true],
  ['too_long', true, true],
  ['model_error', false, false],
  ['overloaded', true, false],
  ['truncated', true, false],
] as const)(
  'an answer that ends with %s, begun: %o, counts among the free ones: %o',
  (fault, hasWorked, isUncharged) => {
    const ending = decideEnding({ failed: 'upstream_failed' }, [{ kind: 'text', text: 'Here is' }]);
    const counted = countFree(ending, { wasAsked: true, hasWorked, hasActed: false, fault });
    expect(counted).toEqual({ isUncharged, isUnanswered: false });
  },
);

test.each([
  ['browser_failed', true, { isUncharged: true, isUnanswered: true }],
  ['upstream_failed', true, { isUncharged: true, isUnanswered: false }],
  ['browser_failed', false, { isUncharged: false, isUnanswered: false }],
] as const)(
  'a browser that ends with %s after a step (%o) counts among the free ones as %o',
  (failed, hasActed, counts) => {
    const ending = decideEnding({ failed }, [], { isDriving: true });
    expect(countFree(ending, { wasAsked: true, hasWorked: true, hasActed })).toEqual(counts);
  },
);

test.each([true, false])(
  'an answer whose user deletes a file that it reads, begun: %o, counts among those that users ended: %o',
  (hasWorked) => {
    const ending = decideEnding({ failed: 'files_gone' }, [{ kind: 'text', text: 'Here is' }]);
    expect(ending.charged).toBe(false);
    const counted = countFree(ending, { wasAsked: true, hasWorked, hasActed: false });
    expect(counted).toEqual({ isUncharged: hasWorked, isUnanswered: hasWorked });
  },
);
