import { expect, test } from 'vitest';
import type { AnswerPart } from '#contract/message/parts.ts';
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
  expect(decideEnding(cause, [{ kind: 'text', text: answer }])).toEqual(ending);
});

test.each([
  [{ kind: 'call', id: 'a', name: 'f', args: '{}' }, 'completed'],
  [{ kind: 'code', language: 'python', code: '1' }, 'completed'],
  [{ kind: 'reasoning', text: 'Hm.' }, 'failed'],
  [{ kind: 'sources', sources: [], supports: [], queries: [] }, 'failed'],
] as const)('an answer of %o alone is %s', (part, status) => {
  expect(decideEnding('finished', [part as AnswerPart]).status).toBe(status);
});
