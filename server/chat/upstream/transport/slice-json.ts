/**
 * The source text of each value in the list at a path of a JSON text, byte for byte as it was written. The text must have been parsed before:
 * nothing is checked. An empty list where the path leads nowhere.
 */
export function sliceList(json: string, path: readonly (string | number)[]): string[] {
  let at = skipBlanks(json, 0);
  for (const step of path) {
    const found = children(json, at).find(({ name }) => name === step);
    if (!found) return [];
    at = found.from;
  }
  return json[at] === '[' ? children(json, at).map(({ from, to }) => json.slice(from, to)) : [];
}

interface Child {
  name: string | number;
  from: number;
  to: number;
}

/** The values of the object or list that begins at a place, by their names or numbers. */
function children(json: string, start: number): Child[] {
  const isObject = json[start] === '{';
  if (!isObject && json[start] !== '[') return [];
  const found: Child[] = [];
  for (let at = skipBlanks(json, start + 1); json[at] !== '}' && json[at] !== ']' && at < json.length; ) {
    let name: string | number = found.length;
    if (isObject) {
      const end = skipValue(json, at);
      name = JSON.parse(json.slice(at, end)) as string;
      at = skipBlanks(json, skipBlanks(json, end) + 1);
    }
    const to = skipValue(json, at);
    found.push({ name, from: at, to });
    at = skipBlanks(json, to);
    if (json[at] === ',') at = skipBlanks(json, at + 1);
  }
  return found;
}

function skipBlanks(json: string, start: number): number {
  let at = start;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1;
  return at;
}

/** The place after the value that begins at a place. */
function skipValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      at = skipString(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (
      depth === 0 &&
      (character === ',' || character === ' ' || character === '\n' || character === '\r')
    )
      return at;
  }
  return json.length;
}

/** By the engine's own search: the string may be a picture of many megabytes. */
function skipString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}
