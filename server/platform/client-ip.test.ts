import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#test/runs.ts';
import { clientIp, isLoopbackIp, networkOf } from './client-ip.ts';

describe('the address of a client', () => {
  it.each([
    [0, '203.0.113.9', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
    [1, '', '10.0.0.1'],
    [1, '203.0.113.9', '203.0.113.9'],
    [1, '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    [2, '1.2.3.4, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    [2, '203.0.113.9', '10.0.0.1'],
    [1, 'unknown', '10.0.0.1'],
    [1, '203.0.113.9:1234', '10.0.0.1'],
    [1, '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    [1, '999.1.1.1', '10.0.0.1'],
    [1, "'; drop table users", '10.0.0.1'],
  ])('behind %i proxies that send %s is %s', (trustProxy, header, address) => {
    expect(clientIp('10.0.0.1', header, trustProxy)).toBe(address);
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is one for all addresses of a /64, however they are written', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (address, host) => {
        const network = networkOf(address);
        if (!network.endsWith('/64')) return;
        const groups = [48n, 32n, 16n, 0n].map((shift) => ((host >> shift) & 0xffffn).toString(16));
        const other = `${network.replace('::/64', '')}:${groups.join(':')}`;
        if (networkOf(other).endsWith('/64')) expect(networkOf(other.toUpperCase())).toBe(network);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::2', false],
  ['', false],
])('%s is loopback: %s', (address, is) => {
  expect(isLoopbackIp(address)).toBe(is);
});
