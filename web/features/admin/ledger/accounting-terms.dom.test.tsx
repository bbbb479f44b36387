import { afterEach, beforeEach, expect, test } from 'vitest';
import adminEn from '#i18n/en/admin.json' with { type: 'json' };
import en from '#i18n/en/common.json' with { type: 'json' };
import adminZh from '#i18n/zh/admin.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AccountingTerms } from './accounting-terms.tsx';

const DICTIONARY = { zh: { ...zh, admin: adminZh }, en: { ...en, admin: adminEn } } as const;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The words that are explained once the list is unfolded. */
async function explained(language: 'zh' | 'en', of: 'ledger' | 'margin'): Promise<string[]> {
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <AccountingTerms of={of} />
    </TranslationProvider>,
  );
  const fold = await find<HTMLDetailsElement>('details', DICTIONARY[language].admin.accountingTerms.title);
  expect(all('dt')).toEqual([]);
  fold.open = true;
  await find('dd');
  for (const { textContent } of all('dd')) expect(textContent).toMatch(/[。.]$/);
  return all('dt').flatMap(({ textContent }) => (textContent ?? '').split(' / '));
}

test.each(['zh', 'en'] as const)(
  'in %s every column of a bucket, every kind of entry, and drift are explained',
  async (language) => {
    const { bucket, word, ledger } = DICTIONARY[language].admin;
    const words = await explained(language, 'ledger');
    const shown = [...Object.values(bucket), ...Object.values(word.entryKind), ledger.drift];
    expect(words).toEqual(expect.arrayContaining(shown));
  },
);

test.each(['zh', 'en'] as const)('in %s the words of the margin are explained', async (language) => {
  const { revenue, cost, margin, percent, estimated } = DICTIONARY[language].admin.margin;
  expect(await explained(language, 'margin')).toEqual([revenue, cost, margin, percent, estimated]);
});
