import { expect, it } from 'vitest';
import { addressParts } from './address.tsx';

it.each([
  [
    'is broken before its @ and its dots',
    'ann.lee@mail.example.com',
    ['ann', '.lee', '@mail', '.example', '.com'],
  ],
  ['that is short stays in three parts', 'a@b.cn', ['a', '@b', '.cn']],
  [
    'without a dot for long is broken after so many letters',
    `${'x'.repeat(30)}@b.cn`,
    ['x'.repeat(24), 'x'.repeat(6), '@b', '.cn'],
  ],
  ['of another script is not broken inside a character', '😀'.repeat(25), ['😀'.repeat(24), '😀']],
])('an address that %s', (_, address, parts) => {
  expect(addressParts(address)).toEqual(parts);
  expect(parts.join('')).toBe(address);
});
