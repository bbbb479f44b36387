/** One finding about a key of the dictionaries, or about a place that uses one. */
export interface TextProblem {
  place: string;
  text: string;
}

/** The texts of one language by their full key, `register.title`. */
export type Texts = Map<string, string>;

/** Flattens a dictionary as read from JSON; throws on anything but objects and strings. */
export function flattenTexts(node: unknown, prefix = ''): Texts {
  const texts: Texts = new Map();
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw new Error(`${prefix || 'the dictionary'} is no object`);
  }
  for (const [name, value] of Object.entries(node)) {
    const key = prefix ? `${prefix}.${name}` : name;
    if (typeof value === 'string') texts.set(key, value);
    else for (const [below, text] of flattenTexts(value, key)) texts.set(below, text);
  }
  return texts;
}

/** `{{name}}`, and `{{name:one|other}}`, which is a word that goes with a number. */
export const PARAM = /\{\{\s*(\w+)\s*(?::[^{}|]*\|[^{}|]*)?\}\}/g;

/** The names in `{{name}}`, sorted, each once. */
export function paramsOf(text: string): string[] {
  return [...new Set([...text.matchAll(PARAM)].map((found) => found[1] ?? ''))].sort();
}

export const CJK = /[\u3400-\u9fff\uf900-\ufaff]/;
