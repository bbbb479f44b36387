import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ReadPage } from '#contract/message/parts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Page, PagesRead } from './pages-read.tsx';

const inZh = (shown: ReactNode) =>
  renderToStaticMarkup(
    <TranslationProvider language="zh" dictionary={zh}>
      {shown}
    </TranslationProvider>,
  );
const inEn = (shown: ReactNode) =>
  renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      {shown}
    </TranslationProvider>,
  );
const words = (html: string) => html.replace(/<[^>]+>/g, '');
const pages = (...statuses: ReadPage['status'][]) =>
  statuses.map((status) => ({ url: `https://a.example/${status}`, status }));

test.each<[ReadPage['status'][], string, string]>([
  [['read'], '读取了 1 个网页', 'Read 1 web page'],
  [['read', 'read'], '读取了 2 个网页', 'Read 2 web pages'],
  [['read', 'paywalled', 'refused'], '读取了 1 个网页，2 个无法读取', 'Read 1 web page, couldn’t read 2'],
  [['failed'], '无法读取网页', 'Couldn’t read the web page'],
  [['paywalled', 'refused', 'failed'], '3 个网页都无法读取', 'Couldn’t read any of the 3 web pages'],
])('of pages that are %j the line says how many could be read', (statuses, chinese, english) => {
  expect(words(inZh(<PagesRead pages={pages(...statuses)} />))).toBe(chinese);
  expect(words(inEn(<PagesRead pages={pages(...statuses)} />))).toBe(english);
});

test('each page says whether it could be read, with an icon of its own', () => {
  const drawn = pages('read', 'paywalled', 'refused', 'failed').map((page) => inZh(<Page {...page} />));
  expect(drawn.map((html) => words(html))).toEqual([
    'a.example/reada.example已读取',
    'a.example/paywalleda.example需要付费，无法读取正文',
    'a.example/refuseda.example不允许读取，或可能不安全',
    'a.example/faileda.example读取失败',
  ]);
  expect(new Set(drawn.map((html) => /lucide-[a-z-]+/.exec(html)?.[0])).size).toBe(4);
});

test('an address is a link only to the web, by its real host', () => {
  const drawPage = (url: string) => inZh(<Page url={url} status="read" />);
  expect(drawPage('https://www.a.example/')).toMatch(
    /href="https:\/\/www\.a\.example\/"[^>]*>www\.a\.example</,
  );
  expect(drawPage('https://аpple.example/x')).toContain('>xn--pple-43d.example<');
  for (const url of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '']) {
    const html = drawPage(url);
    expect(html).not.toMatch(/<(?:a|script)\b/);
    expect(html).toContain(zh.pagesRead.read);
  }
  expect(drawPage('https://a.example/\u202Egnp.exe')).not.toContain('\u202E');
});
