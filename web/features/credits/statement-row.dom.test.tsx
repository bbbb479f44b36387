import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerEntry } from '#contract/credits.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { StatementTable } from './statement-table.tsx';

const TITLE = '北京去上海，高铁和飞机怎么选';
const CHARGE: LedgerEntry = {
  ...{ id: '1', time: Date.UTC(2026, 10, 24, 12), kind: 'charge', amount: -18, balanceAfter: 1_022 },
  ...{ reason: 'message', messageId: '0197f000-0000-7000-8000-000000000001', orderId: null },
  ...{
    model: 'parley-flash',
    conversationTitle: TITLE,
    modelVersion: 'gemini-x',
    usage: { inputTokens: 8, outputTokens: 9, reasoningTokens: 0, cachedInputTokens: 0 },
  },
  lines: [
    { kind: 'message', credits: 15 },
    { kind: 'search', credits: 3 },
  ],
};

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function open(entry: LedgerEntry) {
  draw(
    <MemoryRouter>
      <TranslationProvider language="zh" dictionary={zh}>
        <StatementTable entries={[entry]} />
      </TranslationProvider>
    </MemoryRouter>,
  );
}

/** What stands in the row where its class does not hide it: on a phone, or with more room. */
function rowOn(hidden: 'max-sm' | 'sm'): string {
  const row = all('tbody tr')[0]?.cloneNode(true) as HTMLElement;
  const isHidden = hidden === 'max-sm' ? '.max-sm\\:hidden, .max-lg\\:hidden' : '.sm\\:hidden';
  for (const part of row.querySelectorAll(isHidden)) part.remove();
  return row.textContent ?? '';
}

test('a line is its time, its title, its model, what was extra and what it changed, and the rest of it opens', async () => {
  open(CHARGE);
  const more = await find('button', zh.statement.details);
  const rest = ['gemini-x', zh.priceLine.message, zh.statement.toMessage, zh.ledger.reason.message];
  expect(more.getAttribute('aria-expanded')).toBe('false');
  const { charge } = zh.ledger.kind;
  expect(rowOn('max-sm')).toMatch(
    new RegExp(
      `^${charge} ${TITLE}2026.* · .*Flash · ${zh.priceLine.search} 3−18${zh.statement.balance} 1,022$`,
    ),
  );
  expect(rowOn('sm')).toMatch(
    new RegExp(`^2026.*${charge} ${TITLE}· .*Flash· ${zh.priceLine.search} 3−181,022$`),
  );
  for (const text of rest) expect(shown()).not.toContain(text);
  more.click();
  await find('button[aria-expanded=true]', zh.statement.details);
  for (const text of [...rest, TITLE]) expect(shown()).toContain(text);
});

test('a line with nothing more has nothing to open', () => {
  open({
    ...{ id: '2', time: 0, kind: 'grant', amount: 40, balanceAfter: 40, reason: 'free_month' },
    ...{ messageId: null, orderId: null },
  });
  expect(all('button')).toEqual([]);
  expect(rowOn('max-sm')).toContain(zh.ledger.reason.free_month);
});

test('of a charge for a picture its files are extra, and the picture is not', () => {
  const lines: LedgerEntry['lines'] = [
    { kind: 'files', credits: 3 },
    { kind: 'picture', credits: 40 },
  ];
  open({ ...CHARGE, lines });
  expect(rowOn('sm')).toContain(`${zh.priceLine.files} 3`);
  expect(rowOn('sm')).not.toContain(zh.priceLine.picture);
});
