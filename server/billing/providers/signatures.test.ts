import { describe, expect, test } from 'vitest';
import { verifyBagelpaySignature } from './bagelpay/bagelpay-signature.ts';
import { verifyCreemSignature } from './creem/creem-signature.ts';
import type { WebhookHeaders } from './provider.ts';

const CREEM = {
  secret: 'whsec_test_secret',
  body: '{"id":"evt_1","eventType":"subscription.paid","created_at":1728734327355,"object":{"id":"sub_1","object":"subscription"}}',
  signature: '533b041890188c092a8efef1ec952de5fc7f9e24971f46afd19c4188f9bfc698',
};
const BAGELPAY = {
  secret: 'bagel_secret',
  timestamp: '1757838600',
  body: '{"event_id":"evt_1","event_type":"checkout.completed"}',
  signature: '40d4178c2b7dba741eb06d3b9daa631e4a674b8ed22847eef76f179c2883cdfe',
};

type Verify = (secret: string | null, headers: WebhookHeaders, raw: Uint8Array) => boolean;

describe.each<[string, Verify, string, { secret: string; body: string; signature: string }, WebhookHeaders]>([
  ['Creem', verifyCreemSignature, 'creem-signature', CREEM, {}],
  ['BagelPay', verifyBagelpaySignature, 'bagelpay-signature', BAGELPAY, { timestamp: BAGELPAY.timestamp }],
])("%s's signature", (_name, verify, header, { secret, body, signature }, more) => {
  const raw = Buffer.from(body);
  const check = (
    given: string | string[] | undefined,
    bytes: Uint8Array = raw,
    key: string | null = secret,
  ) => verify(key, { ...more, [header]: given }, bytes);

  test('matches the vector', () => {
    expect(check(signature)).toBe(true);
    expect(check([signature])).toBe(true);
  });

  test('fails for another body, secret or digest', () => {
    expect(check(signature, Buffer.from(`${body} `))).toBe(false);
    expect(check(signature, raw, `${secret}x`)).toBe(false);
    expect(check(signature.replace(/^./, (first) => (first === '0' ? '1' : '0')))).toBe(false);
    expect(check(signature, Buffer.from(JSON.stringify(JSON.parse(body), null, 1)))).toBe(false);
  });

  test('fails for whatever is no digest, without throwing', () => {
    const bad = [
      undefined,
      '',
      'x',
      signature.slice(1),
      `${signature}0`,
      signature.slice(0, 62),
      'z'.repeat(64),
    ];
    for (const each of [...bad, `sha256=${signature}`, ` ${signature}`, '你'.repeat(64)])
      expect(check(each)).toBe(false);
    expect(check([signature, signature])).toBe(false);
    expect(check([])).toBe(false);
  });

  test('never succeeds without a secret', () => {
    expect(check(signature, raw, null)).toBe(false);
    expect(check(signature, raw, '')).toBe(false);
  });
});

test("BagelPay's signature covers the time as it was written", () => {
  const headers = { 'bagelpay-signature': BAGELPAY.signature, timestamp: '1757838601' };
  expect(verifyBagelpaySignature(BAGELPAY.secret, headers, Buffer.from(BAGELPAY.body))).toBe(false);
  expect(
    verifyBagelpaySignature(
      BAGELPAY.secret,
      { ...headers, timestamp: undefined },
      Buffer.from(BAGELPAY.body),
    ),
  ).toBe(false);
});
