import type { Routine } from './read-relations.ts';
import { readStatements, type Statement } from './read-statements.ts';

/** A table of which a function uses more than rows of one user. */
export interface Reach {
  table: string;
  /** The table has an owner, and the statement does not name it. */
  hasOwner: boolean;
}

interface RoutineReach {
  usesTables: boolean;
  /** Each table once, by name. */
  beyond: Reach[];
}

/**
 * What each function uses beyond rows of one user, functions that it calls included. `owners` has all tables, each with its column of the
 * owner or null. By the text: a statement counts as of one user when it compares that column, or writes it.
 */
export function reachOf(
  routines: readonly Routine[],
  owners: ReadonlyMap<string, string | null>,
): Map<string, RoutineReach> {
  const own = new Map(routines.map((routine) => [routine.id, ownReach(routine, owners)]));
  return new Map(
    routines.map((routine) => {
      const parts = withCalled(routine, routines).map(({ id }) => own.get(id));
      const beyond = new Map(
        parts.flatMap((part) => part?.beyond ?? []).map((reach) => [reach.table, reach]),
      );
      return [
        routine.id,
        {
          usesTables: parts.some((part) => part?.usesTables),
          beyond: [...beyond.values()].sort((one, other) => one.table.localeCompare(other.table)),
        },
      ];
    }),
  );
}

function ownReach(routine: Routine, owners: ReadonlyMap<string, string | null>): RoutineReach {
  const statements = readStatements(routine.body).map((statement) => ({
    ...statement,
    uses: statement.uses.flatMap((use) => {
      const table = resolve(use.table, routine.path, (name) => owners.has(name));
      return table === null ? [] : [{ ...use, table }];
    }),
  }));
  const beyond = statements.flatMap((statement) =>
    statement.uses.flatMap(({ table, alias }) => {
      const owner = owners.get(table) ?? null;
      if (owner === null) return [{ table, hasOwner: false }];
      return isOfOneUser(statement, alias, owner) ? [] : [{ table, hasOwner: true }];
    }),
  );
  return { usesTables: statements.some(({ uses }) => uses.length > 0), beyond };
}

/** Where several tables are joined, each needs its owner named: that is what makes a join stay on one node. */
function isOfOneUser({ text, uses }: Statement, alias: string, owner: string): boolean {
  const written = new RegExp(`\\binsert\\s+into\\s+\\S+(?:\\s+as\\s+\\w+)?\\s*\\([^)]*\\b${owner}\\b`, 'i');
  const named = uses.length === 1 ? `(?:\\b${alias}\\.|(?<![.\\w]))${owner}` : `\\b${alias}\\.${owner}`;
  const compared = new RegExp(`${named}\\s*=|=\\s*${named}\\b`, 'i');
  return compared.test(text) || (uses[0]?.alias === alias && written.test(text));
}

/** The function and all that it calls. */
function withCalled(routine: Routine, routines: readonly Routine[]): Routine[] {
  const found = new Set([routine]);
  for (const one of found) {
    for (const [, name = ''] of one.body.matchAll(/\b((?:[a-z_]+\.)?[a-z_]+)\s*\(/g)) {
      const full = resolve(name, one.path, (path) => routines.some((other) => other.name === path));
      for (const other of routines) if (other.name === full) found.add(other);
    }
  }
  return [...found];
}

function resolve(name: string, path: string[], isKnown: (full: string) => boolean): string | null {
  const candidates = name.includes('.') ? [name] : path.map((schema) => `${schema}.${name}`);
  return candidates.find(isKnown) ?? null;
}
