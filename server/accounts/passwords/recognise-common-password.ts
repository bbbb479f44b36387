import type { z } from 'zod';
import type { checkPasswordSchema } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';

/** Shorter pieces of an address or of the product's name say nothing about a password that has them in it. */
const TELLING_CHARACTERS = 4;
/** What may stand around such a word: at most this many characters more make it no secret. */
const PADDING = 4;

/**
 * Would others try this password first: it is on the shipped list of the 49,000 most used ones (OWASP ASVS 5.0, 6.2.4 and 6.2.12), or
 * little more than the user's own address or the product's name (6.2.11). Upper and lower case are alike.
 */
export async function recogniseCommonPassword(
  { config }: Pick<Deps, 'config'>,
  { password, email = '' }: z.infer<typeof checkPasswordSchema>,
): Promise<boolean> {
  const wanted = password.trim().toLowerCase();
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].includes(wanted)) return true;
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const { name, nameZh, slug } = config.brand;
  const words = [local, domain.split('.')[0] ?? '', name.toLowerCase(), slug, nameZh.repeat(2)];
  return words.some(
    (word) =>
      word.length >= TELLING_CHARACTERS && wanted.includes(word) && wanted.length - word.length <= PADDING,
  );
}
