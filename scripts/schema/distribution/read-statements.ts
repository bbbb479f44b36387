/** A table that a statement reads or writes, under the name by which the statement calls it. */
interface TableUse {
  /** As it is written: with a schema, or without. */
  table: string;
  alias: string;
}

/** One statement, or one query inside of it. */
export interface Statement {
  text: string;
  uses: TableUse[];
}

/** What may follow a table's name and is no alias. */
const NO_ALIAS =
  /^(?:as|cross|do|for|full|group|inner|join|left|limit|natural|on|order|returning|right|select|set|skip|union|using|values|where|with)$/i;
const USE =
  /\b(?:from|join|into|update)\s+(?:only\s+)?((?:[a-z_]+\.)?[a-z_]+)\b(?!\s*\.|\()(?:\s+as)?(?:\s+([a-z_]+))?/gi;

/**
 * Cuts the body of a function into statements, and queries in brackets into statements of their own; those that use no table are left out.
 * It reads the text, with the layout of `server/db/functions`: it is no parser of SQL.
 */
export function readStatements(body: string): Statement[] {
  const plain = body.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");
  // THEN and LOOP end a condition where they end a line; inside CASE they do not.
  const cut = plain.split(/;|\b(?:then|loop|begin|declare)\s*$/gim);
  return cut.flatMap(splitQueries).filter(({ uses }) => uses.length > 0);
}

function splitQueries(text: string): Statement[] {
  const inner: Statement[] = [];
  let outer = text;
  const query = /\(\s*select\b[^()]*\)/i;
  const call = /\(([^()]*)\)/;
  // Innermost brackets first: a query becomes a statement, anything else gives up its brackets.
  for (;;) {
    const found = query.exec(outer);
    const next = found ?? call.exec(outer);
    if (!next) break;
    if (found) inner.push(statementOf(found[0].slice(1, -1)));
    const kept = found ? ' ? ' : `\u27e8${next[1] ?? ''}\u27e9`;
    outer = outer.slice(0, next.index) + kept + outer.slice(next.index + next[0].length);
  }
  return [...inner, statementOf(outer)];
}

function statementOf(text: string): Statement {
  const restored = text.replaceAll('\u27e8', '(').replaceAll('\u27e9', ')');
  const uses = [...restored.matchAll(USE)].map(([, table = '', alias = '']) => ({
    table: table.toLowerCase(),
    alias: alias !== '' && !NO_ALIAS.test(alias) ? alias.toLowerCase() : table.toLowerCase(),
  }));
  return { text: restored, uses };
}
