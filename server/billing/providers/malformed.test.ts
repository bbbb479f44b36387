import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { createBagelpay } from './bagelpay/bagelpay.ts';
import { createCreem } from './creem/creem.ts';
import { Fields, parseFields, readTime } from './fields.ts';
import { readMajorUnits } from './money.ts';

const pair = { monthly: 'prod_1', annual: 'prod_2' };
const settings = {
  apiKey: 'k',
  baseUrl: 'http://127.0.0.1:9',
  webhookSecret: 's',
  products: { gemini_basic: pair, gemini_pro: pair },
};
const TYPES = [
  ...['checkout.completed', 'checkout.failed', 'checkout.cancel', 'refund.created', 'dispute.created'],
  ...['active', 'trialing', 'canceled', 'paid', 'expired', 'update', 'past_due'].map(
    (it) => `subscription.${it}`,
  ),
];
const NAMES = [
  'id',
  'object',
  'status',
  'order',
  'order_id',
  'product',
  'subscription',
  'subscription_id',
  'customer',
].concat([
  'transaction',
  'last_transaction_id',
  'amount',
  'currency',
  'updated_at',
  'created_at',
  'metadata',
  '__proto__',
]);
const junk = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      0,
      -1,
      1e308,
      '',
      'paid',
      'active',
      'constructor',
      'usd',
      '2026-02-31 00:00:00',
      '\ud800',
    ),
    fc.string(),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value')),
  ),
})).value;

describe.each([createCreem(settings), createBagelpay(settings)])("$name's readers", (provider) => {
  const never = (raw: Uint8Array) => {
    const facts = provider.translate(raw);
    const envelope = provider.readEnvelope(raw);
    expect(envelope.dedupeKey).not.toBe('');
    expect(
      provider.verifySignature({ 'creem-signature': 'x', 'bagelpay-signature': 'x', timestamp: '1' }, raw),
    ).toBe(false);
    for (const fact of facts) expect(fact.kind).not.toBe('');
    return facts;
  };

  test('take bytes that are no JSON for an unknown event', () => {
    for (const text of ['', '{', 'null', '[]', '"x"', '1', '{"a":1}', '{"object":[]}', '\ufeff{}'])
      expect(never(Buffer.from(text))).toMatchObject([{ kind: 'unknown' }]);
    expect(never(Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d))).toMatchObject([{ kind: 'unknown' }]);
    expect(never(Buffer.from('['.repeat(100_000)))).toMatchObject([{ kind: 'unknown' }]);
  });

  test('never throw, whatever the object of a known event is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), junk, (type, object) => {
        const body = { id: 'e', event_id: 'e', eventType: type, event_type: type, created_at: 1e12, object };
        never(Buffer.from(JSON.stringify(body)));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('never throw on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => void never(raw)),
      { numRuns: runs(300) },
    );
  });

  test('give news without an id a key of its own, and one id under two types two keys', () => {
    const keyOf = (body: object) => provider.readEnvelope(Buffer.from(JSON.stringify(body))).dedupeKey;
    expect(keyOf({ a: 1 })).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(keyOf({ a: 1 })).not.toBe(keyOf({ a: 2 }));
    const both = { id: 'evt_1', event_id: 'evt_1' };
    expect(keyOf({ ...both, eventType: 'checkout.completed', event_type: 'checkout.completed' })).toBe(
      'evt_1:checkout.completed',
    );
    expect(keyOf({ ...both, eventType: 'b', event_type: 'b' })).toBe('evt_1:b');
  });
});

test('times are read in all forms the providers write, text without a zone as UTC', () => {
  const moment = new Date('2026-01-05T08:30:00.000Z');
  const forms = [moment.getTime(), moment.getTime() / 1_000, String(moment.getTime()), '2026-01-05 08:30:00'];
  for (const form of [
    ...forms,
    '2026-01-05T08:30:00Z',
    '2026-01-05T16:30:00+08:00',
    '2026-01-05 08:30:00.000',
  ])
    expect(readTime(form)).toEqual(moment);
  for (const form of [
    null,
    '',
    'soon',
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '2026-13-01 00:00:00',
    {},
    1e300,
  ])
    expect(readTime(form)).toBeNull();
});

test('major units become minor ones on their digits', () => {
  const cases = [6.9, '6.90', 397.1632, '0.005', 1.005, 118.8, 0].map((value) =>
    readMajorUnits(value, 'USD'),
  );
  expect(cases).toEqual([690, 690, 39_716, 1, 101, 11_880, 0]);
  expect(readMajorUnits(500, 'JPY')).toBe(500);
  for (const bad of [-1, '1e3', '', ' ', '1,5', null, {}, Number.NaN])
    expect(readMajorUnits(bad, 'USD')).toBeNull();
});

test('fields read only their own', () => {
  expect(parseFields(Buffer.from('{"__proto__":{"id":"x"}}')).text('id')).toBeNull();
  expect(new Fields({}).text('constructor')).toBeNull();
  expect(new Fields({ url: 'javascript:alert(1)' }).link('url')).toBeNull();
});
