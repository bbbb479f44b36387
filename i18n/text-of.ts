export type TextParams = Readonly<Record<string, string | number>>;

/**
 * The text of a dotted key such as `errors.not_found`, with each `{{name}}` replaced by the parameter of that name, numbers as
 * `numbers` writes them. A missing text shows as its key, a missing parameter as it stands.
 */
export function textOf(
  dictionary: object,
  key: string,
  params: TextParams,
  numbers: Intl.NumberFormat,
): string {
  const text = lookUp(dictionary, key) ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = params[name];
    return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
  });
}

function lookUp(dictionary: object, key: string): string | undefined {
  let node: unknown = dictionary;
  for (const part of key.split('.')) {
    node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[part] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}
