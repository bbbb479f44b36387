import type { Spoil } from './serve-played.ts';

type Json = Record<string, unknown>;

/** What stands where something else should: of another kind, empty, endless, or a name that means something to JavaScript. */
const GARBAGE: readonly unknown[] = [
  ...[
    null,
    0,
    -1,
    1e308,
    '',
    'x',
    true,
    [],
    {},
    ['x'],
    { id: 'x' },
    '\ud800',
    '\0',
    '__proto__',
    'constructor',
  ],
  ...[
    'x'.repeat(600),
    '0000-00-00 00:00:00',
    '9999-12-31T23:59:59Z',
    Number.MAX_SAFE_INTEGER + 1,
    '-690',
    '1e3',
  ],
];

/** Answers in which things are missing, of another kind, reported twice or in another order; now and then no JSON at all. */
export function garble(random: () => number): Spoil {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  function spoil(value: unknown): unknown {
    if (random() < 0.06) return pick(GARBAGE);
    if (Array.isArray(value)) {
      const items = value.map(spoil);
      return random() < 0.3 ? [...items, ...items].reverse() : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(() => random() > 0.04);
    return Object.fromEntries(kept.map(([name, each]) => [name, spoil(each)]));
  }
  return (_path, honest) => {
    const kind = random();
    if (kind < 0.05)
      return Buffer.from(pick(['', '{', '<html>gateway</html>', 'null', '['.repeat(50_000), '{"code":200}']));
    return spoil(honest);
  };
}

/** Answers in which every object was changed by `change`, however deep it lies. */
function change(apply: (object: Json) => Json): Spoil {
  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return apply(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)])));
  }
  return (_path, honest) => walk(honest);
}

const MONEY = ['amount', 'amount_paid', 'net', 'fees', 'sub_total', 'amount_due'];
const times = (factor: number) => (object: Json) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      MONEY.includes(name) && typeof value === 'number' ? value * factor : value,
    ]),
  );
const withProduct = (id: string) => (object: Json) => ({
  ...object,
  ...(object.object === 'product' && 'id' in object ? { id } : {}),
  ...(typeof object.product_id === 'string' ? { product_id: id } : {}),
  ...(typeof object.product === 'string' ? { product: id } : {}),
});
const withText = (name: string, text: string) => (object: Json) =>
  name in object ? { ...object, [name]: text } : object;

/** Answers that are well made and untrue. */
export const LIES: Readonly<Record<string, Spoil>> = {
  'a tenth of the amount': change(times(0.1)),
  'a hundred times the amount': change(times(100)),
  'nothing paid': change(times(0)),
  'an amount below zero': change(times(-1)),
  'another currency': change(withText('currency', 'EUR')),
  'a dearer product': change(withProduct('prod_pro_monthly')),
  'a longer product': change(withProduct('prod_basic_annual')),
  'an unknown product': change(withProduct('prod_of_somebody')),
  'another world': change(withText('mode', 'live')),
};

/** Lists that never end: every page is full of other people's charges and says that there is one more. */
export const endlessLists: Spoil = (path, honest, query) => {
  if (!/\/(list|search)$/.test(path)) return honest;
  const page = Number(query.get('pageNum') ?? query.get('page_number') ?? 1);
  const items = Array.from({ length: 50 }, (_, index) => strangerAt(index));
  const pagination = {
    total_records: 1e9,
    total_pages: 1e9,
    current_page: page,
    next_page: page + 1,
    prev_page: page,
  };
  return { code: 200, msg: 'success', total: 1e9, items, pagination };
};

/** A row that is a charge to both, of no one here. */
function strangerAt(index: number): Json {
  const time = '2028-01-31T09:30:00.000Z';
  return {
    ...{
      id: `tran_stranger_${index}`,
      order_id: `ORD_stranger_${index}`,
      mode: 'test',
      status: 'paid',
      currency: 'USD',
    },
    ...{
      amount: 690,
      amount_paid: 690,
      tax_amount: 0,
      refunded_amount: 0,
      type: 'invoice',
      created_at: time,
      updated_at: time,
    },
    ...{
      customer: { id: `${index}`, email: `stranger-${index}@example.test` },
      subscription: `sub_stranger_${index}`,
    },
  };
}
