import { openConnection } from './open-connection.ts';
import { readCopy } from './read-copy.ts';
import { type RestoredTable, restoreTables } from './restore-tables.ts';

/**
 * Copies all that the database at `from` holds to the one at `to`: it has all of it afterwards, or nothing. No one may write to
 * `from` meanwhile; it stays as it is. Throws as `readCopy` and `restoreTables`.
 */
export function moveDatabase(from: string, to: string): Promise<RestoredTable[]> {
  return openConnection(from, (source) =>
    openConnection(to, (target) => readCopy(source, (copy) => restoreTables(target, to, copy))),
  );
}
