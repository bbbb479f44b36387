import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTANTS } from './billing-mutants.ts';

it.each(MUTANTS)('the mutant “$name” finds its place', ({ changes }) => {
  for (const { file, from } of changes) {
    const text = readFileSync(`server/billing/${file}`, 'utf8');
    expect(text.split(from).length - 1, `${file} holds: ${from}`).toBe(1);
  }
});
