import { assert, property, webPath } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnPath } from '#contract/return-path.ts';

const FALLBACK = '/zh/chat';

describe('returnPath', () => {
  it.each(['/en/pricing', '/zh/subscription?order=1#top', '/profile', '/zh/chat/0199'])(
    'follows %s',
    (path) => {
      expect(returnPath(path, FALLBACK)).toBe(path);
    },
  );

  it.each([
    null,
    '',
    'zh/chat',
    'https://evil.example/zh',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/./ /evil',
    '//',
    '/..//evil.example',
    '///evil.example',
    '/\\/evil.example',
    'https:evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/%09/evil.example',
    '/%2F%2Fevil.example',
    'https://parley.example@evil.example',
    '@evil.example',
    '/./\\evil.example',
    'data:text/html,x',
  ])(
    'does not leave the site by %j (GHSA-vp58-j275-797x, CVE-2025-27143, CVE-2024-56734, CVE-2025-53535)',
    (path) => {
      const target = returnPath(path, FALLBACK);
      expect(new URL(target, 'https://parley.example').origin).toBe('https://parley.example');
      expect(target.startsWith('//')).toBe(false);
    },
  );

  it('does not lead back to the entrances', () => {
    expect(returnPath('/zh/login?next=/x', FALLBACK)).toBe(FALLBACK);
    expect(returnPath('/en/register', FALLBACK)).toBe(FALLBACK);
  });

  it('stays on the site whatever it is given', () => {
    void assert(
      property(webPath(), (path) => {
        const target = returnPath(`/${path}`, FALLBACK);
        expect(new URL(target, 'https://parley.example').origin).toBe('https://parley.example');
      }),
    );
  });
});
