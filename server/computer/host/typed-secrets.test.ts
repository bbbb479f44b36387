import { expect, it } from 'vitest';
import { type SecretField, TypedSecrets } from './typed-secrets.ts';

/** A user who types into fields: each piece with what stands in its field before it. */
async function typed(pieces: readonly (readonly [SecretField | null, string])[], last: SecretField | null) {
  let field: SecretField | null = null;
  const secrets = new TypedSecrets(async () => field);
  for (const [before, text] of pieces) {
    field = before;
    await secrets.type(text);
  }
  field = last;
  return secrets.take();
}

it('keeps what stands in the field in the end and what was typed', async () => {
  expect(await typed([[{ value: '' }, 'hunter2']], { value: 'hunter2' })).toEqual(['hunter2']);
});

it('keeps a code as a whole whose field is emptied after each letter', async () => {
  const pieces = [...'4815'].map((letter) => [{ value: '' }, letter] as const);
  expect(await typed(pieces, null)).toContain('4815');
});

it('keeps nothing of a field that takes no secret', async () => {
  expect(await typed([[null, 'Alex Lin']], null)).toEqual([]);
});

it('keeps the two hundred latest that wait to be told, and as many again once they are told', async () => {
  const field = { value: '' };
  const secrets = new TypedSecrets(async () => field);
  const type = async (from: number, to: number) => {
    for (let n = from; n <= to; n += 1) {
      await secrets.type(`secret ${n}`);
      await secrets.end();
    }
    return secrets.take();
  };
  const first = await type(1, 201);
  expect([first.length, first[0], first.at(-1)]).toEqual([200, 'secret 2', 'secret 201']);
  expect(await type(1, 2)).toEqual(['secret 1', 'secret 2']);
});
