import { expect, test } from 'vitest';
import { ProviderError } from './provider-error.ts';

const messageOf = (text: string) => new ProviderError('creem', 'refused', 400, text).message;

test('a message is one clean line of at most 200 characters', () => {
  expect(messageOf('Product\n  not\u0007 found\u202e')).toBe('Product not found');
  expect(messageOf('长'.repeat(500))).toHaveLength(200);
  expect(messageOf('')).toBe('refused');
});

test('a message shows no key, token or link', () => {
  expect(messageOf('bad key creem_test_abcdef12 of whsec_abcdefgh')).toBe('bad key … of …');
  expect(messageOf('see https://creem.io/my-orders/login/abc?x=1 please')).toBe('see … please');
});
