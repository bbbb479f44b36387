import { expect, it } from 'vitest';
import { hashEmail, normaliseEmail } from './normalise-email.ts';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada+chat@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['A.d.a+x@Gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['Ada.Love-lace_1+x@ProtonMail.com', 'adalovelace1@proton.me'],
  ['adalovelace1@pm.me', 'adalovelace1@proton.me'],
  ['ada+x@me.com', 'ada@icloud.com'],
  ['a.da@mac.com', 'a.da@icloud.com'],
  ['ada-love+x@ya.ru', 'ada.love@yandex.ru'],
  ['ada.love@yandex.com', 'ada.love@yandex.ru'],
  ['ada-shop@yahoo.com', 'ada@yahoo.com'],
  ['ada_l.x-shop@yahoo.co.uk', 'ada_l.x@yahoo.co.uk'],
  ['-ada@yahoo.co.jp', '-ada@yahoo.co.jp'],
  ['ada+shop@fastmail.com', 'ada@fastmail.com'],
  ['shop@ada.fastmail.com', 'ada@fastmail.com'],
  ['shop+x@any.ada.fastmail.fm', 'ada@fastmail.fm'],
  ['Ada.L+shop@Outlook.com', 'ada.l@outlook.com'],
  ['ada-l@hotmail.com', 'ada-l@hotmail.com'],
  ['ada-l@yahoo.example', 'ada-l@yahoo.example'],
  ['ada.-_@proton.example', 'ada.-_@proton.example'],
  ['..._@proton.me', '..._@proton.me'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(normaliseEmail(email)).toBe(mailbox);
});

it('the hash of an address is 32 bytes, the same for one mailbox and another under another secret', () => {
  const hash = hashEmail('a secret', 'ada+1@gmail.com');
  expect(hash).toHaveLength(32);
  expect(hash).toEqual(hashEmail('a secret', 'A.D.A@googlemail.com'));
  expect(hash).not.toEqual(hashEmail('another secret', 'ada@gmail.com'));
});
