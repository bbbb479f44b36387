import type { TestDetails } from '@playwright/test';

/**
 * Marks a journey that `npm run test:long` makes and `npm test` does not, with the reason: quicker tests hold the same, another
 * journey goes most of the way, or it is a detail that seldom breaks. What people come for and pay for is in both runs. `playwright.config.ts` knows the tag.
 */
export function long(why: string): TestDetails {
  return { tag: '@long', annotation: { type: 'long', description: why } };
}
