import { expect, it } from 'vitest';
import { judgeRequest, type PageRequest, policyFor, siteOf, siteOfDocument } from './site-rules.ts';

const TEST_HOSTS = { 'shop.test': '127.0.0.1:4000', 'evil.test': '127.0.0.1:4001' };
const ALLOWED = new Set(['shop.test', 'example.com']);

function judge(url: string, request: Partial<PageRequest> = {}, from: string | null = 'shop.test') {
  const whole = {
    url,
    method: 'GET',
    type: 'Image',
    isMain: false,
    isForm: false,
    isServiceWorker: false,
    ...request,
  };
  const verdict = judgeRequest(whole, from, ALLOWED, TEST_HOSTS);
  return verdict.act === 'pass' ? verdict.reach : verdict.act === 'ask' ? verdict.kind : verdict.act;
}

it.each([
  ['https://www.example.co.uk/a', 'example.co.uk'],
  ['http://shop.test/', 'shop.test'],
  ['http://a.shop.test/', 'shop.test'],
  ['https://例子.中国/', 'xn--fsqu00a.xn--fiqs8s'],
  ['http://93.184.215.14/', '93.184.215.14'],
  ['file:///etc/passwd', null],
  ['chrome://settings', null],
  ['not an address', null],
])('the site of %s is %s', (url, site) => {
  expect(siteOf(url, TEST_HOSTS)).toBe(site);
});

it.each([
  ['http://shop.test/a', 'shop.test'],
  ['blob:https://www.example.com/fb5a', 'example.com'],
  ['blob:http://shop.test/fb5a', 'shop.test'],
  ['blob:null/fb5a', null],
  ['data:text/html,x', null],
  ['about:blank', null],
  ['about:srcdoc', null],
])('a document at %s is one of %s', (url, site) => {
  expect(siteOfDocument(url, TEST_HOSTS)).toBe(site);
});

it('the tab goes to a site that is allowed, and asks for another', () => {
  const main = { type: 'Document', isMain: true };
  expect(judge('https://www.example.com/', main)).toBe('full');
  expect(judge('https://other.example/', main)).toBe('new_site');
  expect(judge('http://evil.test/', main, null)).toBe('new_site');
});

it('a form asks before it goes to another site, allowed or not, by whichever method', () => {
  const main = { type: 'Document', isMain: true };
  expect(judge('https://example.com/', { ...main, method: 'POST' })).toBe('cross_site_form');
  expect(judge('https://example.com/', { ...main, isForm: true })).toBe('cross_site_form');
  expect(judge('https://other.example/', { ...main, method: 'POST' })).toBe('cross_site_form');
  expect(judge('https://example.com/', { type: 'Document', method: 'POST' })).toBe('cross_site_form');
  expect(judge('http://shop.test/', { ...main, method: 'POST' })).toBe('full');
  expect(judge('http://shop.test/', { ...main, method: 'POST' }, null)).toBe('cross_site_form');
  expect(judge('http://shop.test/', { ...main, isForm: true }, null)).toBe('cross_site_form');
});

it.each(['Script', 'Stylesheet', 'Image', 'Font', 'Media'])(
  'what a page is drawn of (%s) comes from any public site, and from no test host that is not allowed',
  (type) => {
    expect(judge('https://cdn.example/a', { type })).toBe('passive');
    expect(judge('http://evil.test/a', { type })).toBe('refuse');
    expect(judge('https://cdn.example/a', { type, method: 'POST' })).toBe('refuse');
  },
);

it.each([
  'XHR',
  'Fetch',
  'EventSource',
  'Ping',
  'Document',
  'Prefetch',
  'Manifest',
  'CSPViolationReport',
  'Other',
])('what a script can send or read by (%s) goes to sites that are allowed alone', (type) => {
  expect(judge('https://cdn.example/a', { type })).toBe('refuse');
  expect(judge('https://api.example.com/a', { type })).toBe('full');
});

it.each([
  ['http://127.0.0.1/'],
  ['http://0x7f.1/'],
  ['http://[::1]/'],
  ['http://169.254.169.254/'],
  ['https://example.com:8443/'],
  ['http://shop.test:4001/'],
  ['data:text/html,x'],
])('%s is refused without a question', (url) => {
  expect(judge(url, { type: 'Document', isMain: true })).toBe('refuse');
});

it('a service worker is refused, of an allowed site too', () => {
  expect(judge('http://shop.test/service.js', { type: 'Other', isServiceWorker: true })).toBe('refuse');
});

it('scripts of a document may open sockets to allowed sites alone', () => {
  expect(policyFor(new Set(['shop.test', 'example.com']), TEST_HOSTS)).toBe(
    "connect-src data: blob: http://shop.test https://shop.test ws://shop.test wss://shop.test http://example.com https://example.com ws://example.com wss://example.com http://*.example.com https://*.example.com ws://*.example.com wss://*.example.com; webrtc 'block'",
  );
});
