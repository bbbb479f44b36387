interface Table {
  columns: Map<string, string>;
  /** Constraints and unique indexes, by their names. */
  rules: Map<string, string>;
}

interface Schema {
  tables: Map<string, Table>;
  /** As they are called, with what comes back. */
  functions: Set<string>;
  views: Map<string, string[]>;
}

/**
 * What of the schema `now` a server may stumble over that was written for the schema `released`; both as `describeSchema` writes them.
 * Each is `<name>: <what>`. New tables, functions and columns that may be left out are no obstacle.
 */
export function compareSchemas(released: string, now: string): string[] {
  const [before, after] = [parse(released), parse(now)];
  return [
    ...[...before.tables].flatMap(([name, table]) => compareTables(name, table, after.tables.get(name))),
    ...[...before.functions].filter((one) => !after.functions.has(one)).map((one) => `${one}: gone`),
    ...[...before.views].flatMap(([name, columns]) =>
      columns.filter((one) => !after.views.get(name)?.includes(one)).map((one) => `${name}.${one}: gone`),
    ),
  ];
}

function compareTables(name: string, before: Table, after: Table | undefined): string[] {
  if (!after) return [`${name}: gone`];
  const columns = [...before.columns].flatMap(([column, text]) => {
    const now = after.columns.get(column);
    if (now === text) return [];
    return [`${name}.${column}: ${now === undefined ? 'gone' : `was ${text}, is ${now}`}`];
  });
  const added = [...after.columns]
    .filter(
      ([column, text]) =>
        !before.columns.has(column) && / NOT NULL/.test(text) && !/ DEFAULT | GENERATED /.test(text),
    )
    .map(([column]) => `${name}.${column}: has to be written`);
  const rules = [...after.rules]
    .filter(([rule, text]) => before.rules.get(rule) !== text && namesAny(text, before.columns))
    .map(([rule]) => `${name} ${rule}: new`);
  const keys = [...before.rules]
    .filter(([rule, text]) => /PRIMARY KEY|UNIQUE/.test(text) && after.rules.get(rule) !== text)
    .map(([rule]) => `${name} ${rule}: gone`);
  return [...columns, ...added, ...rules, ...keys];
}

/** Whether a rule is about any of the columns, other than those of a table that it refers to. */
function namesAny(rule: string, columns: Map<string, string>): boolean {
  const words = new Set(rule.replace(/ REFERENCES .*/, '').match(/\w+/g));
  return [...columns.keys()].some((column) => words.has(column));
}

function parse(text: string): Schema {
  const schema: Schema = { tables: new Map(), functions: new Set(), views: new Map() };
  let table: Table = { columns: new Map(), rules: new Map() };
  for (const line of text.replace(/\n(?= {3,}|CASE$|END)/gm, ' ').split('\n')) {
    const [, created] = /^CREATE (?:UNLOGGED )?TABLE (\S+) \($/.exec(line) ?? [];
    const [, rule, what] = /^ {2}CONSTRAINT (\S+) (.*?),?$/.exec(line) ?? [];
    const [, column, type] = /^ {2}(\w+|"\w+") (.*?),?$/.exec(line) ?? [];
    const [, index] = /^CREATE UNIQUE INDEX (\S+) ON /.exec(line) ?? [];
    const [, view, columns] = /^-- ((?:public|credit|billing)\.\w+) \((.*)\)$/.exec(line) ?? [];
    if (created) {
      table = { columns: new Map(), rules: new Map() };
      schema.tables.set(created, table);
    } else if (rule && what) table.rules.set(rule, what);
    else if (column && type) table.columns.set(column, type);
    else if (index) table.rules.set(index, line.replace(/.* ON \S+/, 'UNIQUE'));
    else if (view && columns) schema.views.set(view, columns.split(', '));
    else if (/^-- \w+\.\w+\(.*\) RETURNS /.test(line)) schema.functions.add(line.slice(3));
  }
  return schema;
}
