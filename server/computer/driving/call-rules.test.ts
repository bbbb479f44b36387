import { expect, test } from 'vitest';
import { readCall, typedIn } from './call-rules.ts';

test('what a model says beside a call has neither NUL nor half a character', () => {
  const args = {
    url: 'http://shop.test/',
    intent: 'to\0 buy',
    safety_decision: { decision: 'require_confirmation', explanation: `pay${'.'.repeat(995)}\0🌊` },
  };
  const call = readCall({ kind: 'call', id: 'c', name: 'navigate', args: JSON.stringify(args) });
  expect(call).toMatchObject({ intent: 'to buy', explanation: `pay${'.'.repeat(995)}\ufffd` });
});

test('each line of a typed text may be the secret', () => {
  const args = { text: 'bob\r\nhunter2', press_enter: true };
  expect(typedIn({ name: 'type', args })).toEqual(['bob\r\nhunter2', 'bob', 'hunter2']);
});
