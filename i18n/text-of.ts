export type TextParams = Readonly<Record<string, string | number>>;

/**
 * The text of a dotted key such as `errors.not_found`, with each `{{name}}` replaced by the parameter of that name, numbers as
 * `numbers` writes them, and each `{{name:one|other}}` by the word that goes with its number: `{{count}} {{count:step|steps}}`.
 * Between Chinese and a parameter that begins or ends in Chinese there is no space. A missing text shows as its key, a missing parameter as it stands.
 */
export function textOf(
  dictionary: object,
  key: string,
  params: TextParams,
  numbers: Intl.NumberFormat,
): string {
  const text = lookUp(dictionary, key) ?? key;
  return fillText(text, (name) => {
    const value = params[name];
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

/** The text with what `give` gives for each `{{name}}`; where it gives nothing, that stays as it stands. */
export function fillText(text: string, give: (name: string) => string | undefined): string {
  return text.replace(PARAMETER, (whole, before = '', name = '', one, other, after = '') => {
    const given = give(name);
    if (given === undefined) return whole;
    const value = one === undefined ? given : given === '1' ? one : other;
    const start = BEGINS_CHINESE.test(value) ? '' : before;
    return `${start}${value}${ENDS_CHINESE.test(value) ? '' : after}`;
  });
}

const PARAMETER = /((?<=\p{Script=Han}) )?\{\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}\}( (?=\p{Script=Han}))?/gu;
const BEGINS_CHINESE = /^\p{Script=Han}/u;
const ENDS_CHINESE = /\p{Script=Han}$/u;

function lookUp(dictionary: object, key: string): string | undefined {
  let node: unknown = dictionary;
  for (const part of key.split('.')) {
    node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[part] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}
