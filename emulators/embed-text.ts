import { createDice } from './pace.ts';

const SALT = 31;

function hash(word: string): number {
  let value = 7;
  for (let index = 0; index < word.length; index += 1)
    value = (Math.imul(value, SALT) + word.charCodeAt(index)) | 0;
  return value >>> 0;
}

/** A vector of length 1 that is near for texts that share words or characters. */
export function embedText(text: string, dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[a-z0-9]+|[\u2e80-\uffef]/g) ?? ['']) {
    const dice = createDice(hash(word));
    for (let index = 0; index < dimensions; index += 1) sum[index] = (sum[index] ?? 0) + dice() - 0.5;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
