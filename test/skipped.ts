import { describe } from 'vitest';

/** Tests that run where nothing is missing; where something is, they are skipped and their title says what. `false`: it is there. */
export function describeWithout(
  missing: readonly (string | false)[],
  title: string,
  tests: () => void,
): void {
  const reasons = missing.filter((reason) => reason !== false);
  const isSkipped = reasons.length > 0;
  describe.skipIf(isSkipped)(isSkipped ? `${title} (skipped: ${reasons.join(', ')})` : title, tests);
}
