import fc from 'fast-check';
import { z } from 'zod';

/** Values worth trying under a field of that name, such as the ids of what exists. */
export type Words = Readonly<Record<string, readonly unknown[]>>;

interface Node {
  type?: string | string[];
  anyOf?: Node[];
  oneOf?: Node[];
  allOf?: Node[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
  additionalProperties?: Node | boolean;
}

/** What a schema accepts, as far as JSON Schema can say it: most of the values pass, and the boundaries come often. */
export function arbitraryOf(schema: z.ZodType, words: Words = {}): fc.Arbitrary<unknown> {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  return arbitraryOfNode(whole, '', words);
}

function arbitraryOfNode(node: Node, name: string, words: Words): fc.Arbitrary<unknown> {
  const known = Object.hasOwn(words, name) ? (words[name] ?? []) : [];
  const shaped = arbitraryOfShape(node, name, words);
  if (known.length === 0) return shaped;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: shaped });
}

function arbitraryOfShape(node: Node, name: string, words: Words): fc.Arbitrary<unknown> {
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  const choices = node.anyOf ?? node.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => arbitraryOfNode(one, name, words)));
  if (node.allOf)
    return arbitraryOfNode(Object.assign({}, node, { allOf: undefined }, ...node.allOf), name, words);
  if (Array.isArray(node.type))
    return fc.oneof(...node.type.map((type) => arbitraryOfNode({ ...node, type }, name, words)));
  const { minimum = -100, maximum = minimum + 1_000 } = { minimum: node.exclusiveMinimum, ...defined(node) };
  switch (node.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.maxSafeInteger().map((value) => clamp(value, minimum, maximum)),
        fc.constant(maximum),
      );
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'string':
      return arbitraryOfText(node);
    case 'array':
      return fc.array(arbitraryOfNode(node.items ?? {}, name, words), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? 4, (node.minItems ?? 0) + 4),
      });
    case 'object':
      return arbitraryOfObject(node, words);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const defined = (node: Node) =>
  Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as Node;
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

function arbitraryOfObject({ properties = {}, required = [], additionalProperties }: Node, words: Words) {
  const fields = Object.entries(properties);
  const model = Object.fromEntries(fields.map(([name, one]) => [name, arbitraryOfNode(one, name, words)]));
  const known = fc.record<Record<string, unknown>>(model, { requiredKeys: required });
  if (fields.length > 0 || !additionalProperties) return known;
  return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
}

/** The patterns of these use what `stringMatching` does not know. */
const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.uuid().map((name) => `${name}@example.test`),
  date: fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
};

function arbitraryOfText(node: Node): fc.Arbitrary<string> {
  const format = FORMATS[node.format ?? ''];
  if (format) return format;
  if (node.pattern && !/\(\?[=!<]/.test(node.pattern)) return fc.stringMatching(new RegExp(node.pattern));
  const { minLength = 0, maxLength = 2_000 } = node;
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 40) }) },
    { weight: 1, arbitrary: fc.constant('字'.repeat(Math.min(maxLength, 40_000))) },
  );
}

/** Texts that programs trip over. */
export const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff\ud800',
  '\u202e\u0007\u001b[31m',
  '\ufeff',
  'ﬀİıẞ\u0345',
  '👩‍👩‍👧‍👦'.repeat(20),
  'e\u0301\u0302'.repeat(200),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '0',
  '007',
  '1e9',
  '2147483648',
  '9223372036854775808',
  '999999999999999999999999',
  '٣',
  '１２',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '999999999999999_00000000-0000-0000-0000-000000000000',
  'p999999999999999999_00000000-0000-0000-0000-000000000000',
  'm999999999999999999_ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '../../etc/passwd',
  "' or 1=1 --",
  '%',
  '%_\\',
  '\\',
  '$1',
  '{}',
  'a@b',
  '"a b"@example.test',
  'x'.repeat(5_000),
  'http://127.0.0.1:1/',
] as const;

/** Stands for a number that `JSON.stringify` cannot write; `writeJson` puts it in. */
const RAW = '@number:';

const nested = (depth: number) => {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = at % 2 ? [value] : { a: value };
  return value;
};

const withOwnProto = (value: unknown) => Object.defineProperty({}, '__proto__', { value, enumerable: true });

/** Values of any kind that programs trip over. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...ODD_TEXTS) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 8.64e15, 8.64e15 + 1],
      ...['1e999', '-1e999', '-0', '99999999999999999999999', '1E-400'].map((text) => RAW + text),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...[[], {}, [[]], [null], [{}], { length: 1e9 }, { toString: 1, valueOf: null }],
      ...[withOwnProto({ isAdmin: true }), { constructor: { prototype: { x: 1 } } }, nested(300)],
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Large ones, which come seldom. */
const largeValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  Array.from({ length: 20_000 }, (_, at) => at),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at])),
  '🙂'.repeat(50_000),
  nested(3_000),
);

const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'extra', '', '\0', '\ud800', '0'];

/** A value with one thing in it changed: a field replaced, left out, wrapped or added. */
export function nearly(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    { weight: 6, arbitrary: oddValue.map((odd) => ({ kind: 'replace' as const, odd })) },
    { weight: 1, arbitrary: largeValue.map((odd) => ({ kind: 'replace' as const, odd })) },
    { weight: 2, arbitrary: fc.constant({ kind: 'drop' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'wrap' as const }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...ODD_KEYS), oddValue)
        .map(([key, odd]) => ({ kind: 'add' as const, key, odd })),
    },
  );
  return fc.tuple(value, fc.nat(), change).map(([whole, at, how]) => {
    const places = placesOf(whole);
    return changeAt(whole, places[at % places.length] ?? [], how);
  });
}

type Change =
  | { kind: 'replace'; odd: unknown }
  | { kind: 'drop' }
  | { kind: 'wrap' }
  | { kind: 'add'; key: string; odd: unknown };

function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || path.length > 12) return [path];
  const parts = Object.entries(value).slice(0, 50);
  return [path, ...parts.flatMap(([key, part]) => placesOf(part, [...path, key]))];
}

function changeAt(value: unknown, [key, ...rest]: string[], how: Change): unknown {
  if (key === undefined) return changeHere(value, how);
  const entries = Object.entries(value as object).flatMap(([name, part]) => {
    if (name !== key) return [[name, part] as const];
    if (rest.length === 0 && how.kind === 'drop') return [];
    return [[name, changeAt(part, rest, how)] as const];
  });
  return Array.isArray(value) ? entries.map(([, part]) => part) : objectOf(entries);
}

function changeHere(value: unknown, how: Change): unknown {
  if (how.kind === 'replace') return how.odd;
  if (how.kind === 'wrap') return [value];
  if (how.kind === 'drop') return undefined;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return objectOf([...(isObject ? Object.entries(value) : []), [how.key, how.odd]]);
}

/** An object that has all of them as its own, `__proto__` too. */
function objectOf(entries: readonly (readonly [string, unknown])[]) {
  const object = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** JSON text of a value; nothing for undefined. */
export function writeJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1');
}
