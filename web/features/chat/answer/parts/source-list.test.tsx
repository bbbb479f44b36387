import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Language } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { SourceList } from './source-list.tsx';

/** The list as it stands on the page, with `count` sources whose titles are `title`. */
function draw(count: number, title = '标题', language: Language = 'zh', late = false): string {
  const sources = Array.from({ length: count }, (_, n) => ({ url: `https://s${n}.example/`, title }));
  return renderToStaticMarkup(
    <TranslationProvider language={language} dictionary={language === 'zh' ? zh : en}>
      <SourceList
        sources={{ kind: 'sources', sources, supports: [], queries: ['潮汐'] }}
        at={Date.UTC(2026, 10, 26, 12)}
        late={late}
      />
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

test('the heading says the day of the search, as the reader writes days', () => {
  const words = (html: string) =>
    /<h3[^>]*>(.*?)<\/h3>/
      .exec(html)?.[1]
      ?.replace(/<[^>]+>/g, '')
      .replace(/\u00a0/g, ' ');
  expect(words(draw(3))).toBe('来源 · 2026 年 11 月 26 日搜索');
  expect(words(draw(0))).toBe('已联网搜索，没有引用来源 · 2026 年 11 月 26 日搜索');
  expect(words(draw(3, 'Title', 'en'))).toBe('Sources · searched November 26, 2026');
});

test('only a list that comes while the answer is read is late', () => {
  expect(draw(3, '标题', 'zh', true)).toContain('data-late="true"');
  expect(draw(3)).not.toContain('data-late');
});
