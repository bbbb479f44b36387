import { expect, test } from 'vitest';
import { decideEnding } from './ending-rules.ts';

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
  expect(decideEnding(cause, answer)).toEqual(ending);
});
