import { expect, it } from 'vitest';
import { shortId } from './short-id.tsx';

it.each([
  ['a UUID ends as its user sees it', '0197b7f0-1234-7000-8000-0123456789ab', '…456789ab'],
  ['a long name keeps its beginning and its end', 'creem:tran_abcdefghijklmnop', 'tran_abc…klmnop'],
  ['a short one stays whole', 'creem:tran_1', 'tran_1'],
])('%s', (_, id, short) => {
  expect(shortId(id)).toBe(short);
});
