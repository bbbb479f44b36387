import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { QuotePrice } from './quote-price.tsx';
import type { ShownQuote } from './use-quote.ts';

const DICTIONARY = { zh, en } as const;
const QUOTE: ShownQuote = {
  ...{ max: 25, error: null, isPending: false, isUnread: false, retry: () => {} },
  lines: [{ kind: 'search', max: 10, params: {} }],
};

/** What stands there before the code of the button has come. */
function drawnFirst(quote: ShownQuote, language: 'zh' | 'en' = 'zh'): string {
  return renderToStaticMarkup(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <QuotePrice quote={quote} />
    </TranslationProvider>,
  );
}

test.each(['zh', 'en'] as const)('in %s a price is said before its button has come', (language) => {
  const t = createTranslate(language, DICTIONARY[language]);
  expect(drawnFirst(QUOTE, language)).toContain(t('quote.most', { credits: 25 }));
  expect(drawnFirst({ ...QUOTE, lines: [] }, language)).toContain(t('chat.charged', { credits: 25 }));
});

test('no price is said while none is known', () => {
  expect(drawnFirst({ ...QUOTE, max: null, isPending: true })).toBe('');
});
