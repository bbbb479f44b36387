import { readFileSync } from 'node:fs';

/** A file of `deploy/` with what differs in a test; throws where one of it is not there. */
export function readShipped(path: string, changes: [shipped: string, tested: string][]): string {
  const text = readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${path} has no “${from}”`);
    return changed.replace(from, to);
  }, text);
}
