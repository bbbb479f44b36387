const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a text has Chinese or Japanese characters. */
export function hasHan(text: string): boolean {
  return HAN.test(text);
}

/** The class of a text that somebody wrote: without Chinese it gets the quotes and dashes of Latin letters on a Chinese page too. */
export function latinClass(text: string): string | undefined {
  return hasHan(text) ? undefined : 'font-latin';
}
