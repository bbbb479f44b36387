import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SourceLink } from './source-link.tsx';

const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ';
const draw = (url: string, title: string) => renderToStaticMarkup(<SourceLink source={{ url, title }} />);

test('behind an address of Google’s own the site is the one that the title names', () => {
  const html = draw(REDIRECT, '中文.example');
  expect(html).toContain(`href="${REDIRECT}"`);
  expect(html).toContain('>中文.example</a>');
  expect(html).toMatch(/dir="ltr"[^>]*>xn--fiq228c\.example</);
  expect(draw(REDIRECT, 'kyoto.travel')).not.toMatch(/dir="ltr"|>[^<]*google/i);
});

test('any other page stands with its own host, whatever it calls itself', () => {
  expect(draw('https://evil.example/', 'www.bank.example')).toMatch(/dir="ltr"[^>]*>evil\.example</);
  expect(draw('https://a.example/', '')).toMatch(/>a\.example<\/a>/);
  expect(draw('javascript:alert(1)', 'A')).not.toContain('<a ');
});
