import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../docs/decisions/', import.meta.url);

describe('decision records', () => {
  it('are numbered without holes, in the name of the file and in its title', () => {
    for (const [index, name] of readdirSync(FOLDER).sort().entries()) {
      const title = readFileSync(new URL(name, FOLDER), 'utf8').split('\n')[0];
      expect([name.slice(0, 5), title?.split('.')[0]], name).toEqual([
        `${String(index + 1).padStart(4, '0')}-`,
        `# ${index + 1}`,
      ]);
    }
  });
});
