import { expect, it } from 'vitest';
import { hashAddress, normaliseAddress } from './normalise-address.ts';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada+chat@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['A.d.a+x@Gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['+ada@example.com', '+ada@example.com'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(normaliseAddress(email)).toBe(mailbox);
});

it('the hash of an address is 32 bytes, the same for one mailbox and another under another secret', () => {
  const hash = hashAddress('a secret', 'ada+1@gmail.com');
  expect(hash).toHaveLength(32);
  expect(hash).toEqual(hashAddress('a secret', 'A.D.A@googlemail.com'));
  expect(hash).not.toEqual(hashAddress('another secret', 'ada@gmail.com'));
});
