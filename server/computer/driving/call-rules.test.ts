import { expect, test } from 'vitest';
import { maskSecrets, readCall, typedIn } from './call-rules.ts';

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

test('a secret that is added later is masked like those before, in each of its spellings', () => {
  const secrets = new Set(['hunter2']);
  const text = 'hunter2, p@ss wörd, p%40ss%20w%C3%B6rd, p%40ss+w%C3%B6rd, p@ss%20w%C3%B6rd';
  expect(maskSecrets(text, secrets)).toBe(text.replace('hunter2', '•••'));
  secrets.add('p@ss wörd');
  expect(maskSecrets(text, secrets)).toBe(Array(5).fill('•••').join(', '));
});
