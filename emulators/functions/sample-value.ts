interface Schema {
  type?: unknown;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

const STARTERS = new Set([
  'What',
  'How',
  'Is',
  'Are',
  'The',
  'Which',
  'Who',
  'When',
  'Where',
  'Please',
  'Tell',
  'Give',
  'Compare',
]);
const DEEPEST = 8;

/** The places and names that a prompt is about: capitalised words and what stands in quotes. */
export function thingsIn(prompt: string): string[] {
  const found = [...prompt.matchAll(/[“"「]([^”"」]+)[”"」]|(?<![\w-])([A-Z][a-z]+)/g)];
  return found.map(([, quoted, word]) => quoted ?? word ?? '').filter((word) => !STARTERS.has(word));
}

/** A value that fits a JSON Schema, made of what a prompt names; `turn`: which of the things it names comes first. */
export function sampleValue(schema: unknown, prompt: string, turn = 0, depth = 0): unknown {
  const one = (typeof schema === 'object' && schema !== null ? schema : {}) as Schema;
  if (one.const !== undefined) return one.const;
  if (Array.isArray(one.enum)) return one.enum[0];
  if (one.default !== undefined) return one.default;
  if (Array.isArray(one.anyOf)) return sampleValue(one.anyOf[0], prompt, turn, depth);
  const type = Array.isArray(one.type) ? one.type[0] : one.type;
  if (depth > DEEPEST) return null;
  if (type === 'string') return thingsIn(prompt)[turn] ?? prompt.slice(0, 40);
  if (type === 'integer' || type === 'number') return numberIn(prompt, turn, one.minimum);
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleValue(one.items, prompt, turn, depth + 1)];
  const names = Object.entries(one.properties ?? {}).slice(0, 20);
  return Object.fromEntries(names.map(([name, each]) => [name, sampleValue(each, prompt, turn, depth + 1)]));
}

function numberIn(prompt: string, turn: number, minimum = 1): number {
  const numbers = [...prompt.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return Math.max(minimum, numbers[turn] ?? numbers[0] ?? minimum);
}
