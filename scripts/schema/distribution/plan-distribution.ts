import { type Reach, reachOf } from './read-reach.ts';
import type { ForeignKey, Key, Relations, Table } from './read-relations.ts';

/** Where a table without an owner would be, chosen by hand with the reason. */
export interface Choice {
  place: 'reference' | 'local';
  why: string;
}

export interface PlannedTable {
  name: string;
  /** `distributed` by its owner; `reference`: a copy on each node; `local`: on the coordinator alone; `unknown`: not chosen yet. */
  place: 'distributed' | 'reference' | 'local' | 'unknown';
  /** The column with the owner; null: it has none. */
  owner: string | null;
  /** Why it was chosen; empty for a table with an owner. */
  why: string;
  /** What stands in the way, a clause each; empty: it can go there as it is. */
  needs: string[];
  /** It has a column that a sequence numbers. */
  isNumbered: boolean;
}

export interface PlannedRoutine {
  name: string;
  /** It has an argument `p_user`, by which a call could be sent to the node of that user. */
  hasUser: boolean;
  /** What it reaches besides rows of that user. */
  reaches: Reach[];
}

export interface Plan {
  tables: PlannedTable[];
  /** Functions that use tables; triggers are judged with their table. */
  routines: PlannedRoutine[];
}

type Places = Map<string, Pick<PlannedTable, 'place' | 'owner'>>;

const USERS = 'public.users';
/** Types of numbers that are made once: a key with one of them stays a key when the owner is added. */
const MADE_TYPES = ['uuid', 'bigint'];

/**
 * Says for each table how it would lie in a Citus cluster that is distributed by user, and what it needs for that. `choices` has the tables
 * that belong to no user. The rules, with their sources, are in docs/scaling.md.
 */
export function planDistribution(relations: Relations, choices: Record<string, Choice>): Plan {
  const places: Places = new Map(relations.tables.map((table) => [table.name, placeOf(table, choices)]));
  const owners = new Map([...places].map(([name, { owner }]) => [name, owner]));
  const reaches = reachOf(relations.routines, owners);
  const tables = relations.tables.map((table) => {
    const { place, owner } = placeOf(table, choices);
    const needs = [
      ...ownerNeeds(table, place, owner),
      ...(place === 'local' ? [] : numberNeeds(table)),
      ...(place === 'distributed' ? table.keys.flatMap((key) => keyNeeds(table, key, owner)) : []),
      ...table.foreignKeys.flatMap((key) => foreignKeyNeeds(table, key, places)),
      ...(place === 'distributed' ? triggerNeeds(table, reaches) : []),
    ];
    const isNumbered = table.columns.some(({ isIdentity }) => isIdentity);
    return { name: table.name, place, owner, why: choices[table.name]?.why ?? '', needs, isNumbered };
  });
  const routines = relations.routines
    .filter(({ id, isTrigger }) => !isTrigger && (reaches.get(id)?.usesTables ?? false))
    .map(({ id, name, argumentNames }) => ({
      name,
      hasUser: argumentNames.includes('p_user'),
      reaches: reaches.get(id)?.beyond ?? [],
    }));
  return { tables, routines };
}

function placeOf(table: Table, choices: Record<string, Choice>): Pick<PlannedTable, 'place' | 'owner'> {
  const chosen = choices[table.name];
  if (chosen) return { place: chosen.place, owner: null };
  if (table.name === USERS) return { place: 'distributed', owner: 'id' };
  if (table.columns.some(({ name }) => name === 'user_id')) return { place: 'distributed', owner: 'user_id' };
  return { place: ownedBy(table) === null ? 'unknown' : 'distributed', owner: null };
}

/** The column by which a row without an owner of its own belongs to one, such as `message_id`. */
function ownedBy({ columns }: Table): string | null {
  return columns.find(({ name, type }) => type === 'uuid' && name.endsWith('_id'))?.name ?? null;
}

function ownerNeeds(table: Table, place: PlannedTable['place'], owner: string | null): string[] {
  if (place === 'unknown') return ['a place in choices.ts: no column leads to a user'];
  if (place !== 'distributed') return [];
  if (owner === null) return [`a column \`user_id\` beside \`${ownedBy(table) ?? ''}\``];
  const isNullable = table.columns.some((column) => column.name === owner && column.isNullable);
  return isNullable ? [`another place for rows whose \`${owner}\` is null`] : [];
}

function numberNeeds({ columns }: Table): string[] {
  return columns
    .filter(({ isIdentity, type }) => isIdentity && type !== 'bigint')
    .map(({ name }) => `\`${name}\` as \`bigint\``);
}

function keyNeeds(table: Table, key: Key, owner: string | null): string[] {
  if (owner !== null && key.columns.includes(owner)) return [];
  const types = key.columns.map((name) => table.columns.find((column) => column.name === name)?.type ?? '');
  const isMade = !key.hasExpression && types.some((type) => MADE_TYPES.includes(type));
  return [isMade ? `\`user_id\` in \`${key.name}\`` : `a table of all users for \`${key.name}\``];
}

function foreignKeyNeeds(table: Table, key: ForeignKey, places: Places): string[] {
  const from = places.get(table.name);
  const to = places.get(key.target);
  if (from?.place !== 'distributed')
    return to?.place === 'distributed' ? [`to lose \`${key.name}\`, which leads to a distributed table`] : [];
  if (to?.place === 'reference') return [];
  if (to?.place !== 'distributed')
    return [`to lose \`${key.name}\`, which leads to a table on the coordinator`];
  const at = from.owner === null ? -1 : key.columns.indexOf(from.owner);
  const goesAlong = at >= 0 && to.owner !== null && key.targetColumns[at] === to.owner;
  if (!goesAlong) return [`\`user_id\` in \`${key.name}\``];
  return key.onDelete === 'n' || key.onDelete === 'd'
    ? [`another \`ON DELETE\` of \`${key.name}\`, which would change the owner`]
    : [];
}

function triggerNeeds(table: Table, reaches: ReturnType<typeof reachOf>): string[] {
  return table.triggers.flatMap(({ name, routine }) => {
    const beyond = reaches.get(routine)?.beyond ?? [];
    if (beyond.length === 0) return [];
    return [`\`${name}\` not to reach ${describeReach(beyond)}`];
  });
}

/** Such as “`messages` without a user”. */
export function describeReach(reaches: Reach[]): string {
  const list = (hasOwner: boolean) =>
    reaches
      .filter((reach) => reach.hasOwner === hasOwner)
      .map(({ table }) => `\`${shortName(table)}\``)
      .join(', ');
  const [owned, others] = [list(true), list(false)];
  return [owned && `${owned} without a user`, others && `${others}, in which no user is named`]
    .filter(Boolean)
    .join('; ');
}

/** Without the schema where that is `public`. */
export function shortName(table: string): string {
  return table.replace(/^public\./, '');
}
