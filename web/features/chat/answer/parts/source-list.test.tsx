import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { SourceList } from './source-list.tsx';

/** The list as it stands on the page, with `count` sources whose titles are `title`. */
function draw(count: number, title = '标题'): string {
  const sources = Array.from({ length: count }, (_, n) => ({ url: `https://s${n}.example/`, title }));
  return renderToStaticMarkup(
    <TranslationProvider language="zh" dictionary={zh}>
      <SourceList sources={{ kind: 'sources', sources, supports: [], queries: ['潮汐'] }} />
    </TranslationProvider>,
  );
}

const count = (html: string, what: RegExp) => [...html.matchAll(what)].length;

test('of forty sources six are shown on screen, and all on paper, because marks name them', () => {
  const html = draw(40);
  expect(count(html, /<li /g)).toBe(40);
  expect(count(html, /<li class="[^"]*\bhidden print:flex\b/g)).toBe(34);
  expect(count(html, /<button [^>]*print:hidden/g)).toBe(1);
  expect(count(draw(6), /hidden print:flex|<button/g)).toBe(0);
});

test('a search that found nothing says so, and names no page', () => {
  const html = draw(0);
  expect(html).toContain(zh.sources.none);
  expect(count(html, /<li|<button/g)).toBe(0);
});

test('a title can turn no letters around it, and its host stands in its own direction', () => {
  const html = draw(1, '\u202eעברית abc\u0000');
  expect(html).toContain('>עברית abc</a>');
  expect(html).toMatch(/dir="auto"[^>]*>עברית/);
  expect(html).toMatch(/dir="ltr"[^>]*>s0\.example</);
});
