import { expect, it } from 'vitest';
import { entryKindSchema } from '#contract/credits.ts';
import { csvLine } from '#contract/csv-line.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { presentCsvEntry, presentCsvHeader } from './present-csv.ts';
import { LEDGER_REASONS } from './rules.ts';

const entry = {
  id: '7',
  time: Date.UTC(2026, 8, 10, 12, 34, 56, 789),
  kind: 'charge',
  amount: -8,
  balanceAfter: 32,
  reason: 'message',
  messageId: '0199a000-0000-7000-8000-000000000001',
  orderId: null,
} as const;

it('begins with a byte order mark and the columns in the caller’s language', () => {
  expect(presentCsvHeader('zh')).toBe(
    '\ufeff时间（UTC）,类型,变动,余额,说明,消息编号,订单编号,模型,模型版本,明细,输入 tokens,输出 tokens\r\n',
  );
  expect(presentCsvHeader('en')).toBe(
    '\ufeffTime (UTC),Kind,Change,Balance,Reason,Message ID,Order ID,Model,Model version,Breakdown,Input tokens,Output tokens\r\n',
  );
});

it('writes a line with kind and reason in words, and amounts as numbers', () => {
  const tail = '-8,32,Message sent,0199a000-0000-7000-8000-000000000001,,,,,,\r\n';
  expect(presentCsvEntry(entry, 'en')).toBe(`2026-09-10 12:34:56,Spent,${tail}`);
  expect(presentCsvEntry(entry, 'zh')).toContain(',消费,-8,32,发送消息,');
});

it('says of a charge its model, lines and tokens', () => {
  const charged = {
    ...entry,
    model: 'parley-flash',
    modelVersion: 'gemini-3.8-flash',
    lines: [
      { kind: 'message' as const, credits: 15 },
      { kind: 'search' as const, credits: 6 },
    ],
    usage: { inputTokens: 1_200, outputTokens: 34, reasoningTokens: 5, cachedInputTokens: 0 },
  };
  const tail = (lines: string) => `,parley-flash,gemini-3.8-flash,${lines},1200,34\r\n`;
  expect(presentCsvEntry(charged, 'en')).toContain(tail('Message 15; Web search 6'));
  expect(presentCsvEntry(charged, 'zh')).toContain(tail('消息 15; 联网搜索 6'));
});

it('keeps a reason that has no text as its code', () => {
  expect(presentCsvEntry({ ...entry, reason: 'something_newer' }, 'en')).toContain(',something_newer,');
});

it('has a text in both languages for every reason and kind, and none besides', () => {
  for (const texts of [zh, en]) {
    expect(Object.keys(texts.ledger.reason).sort()).toEqual([...LEDGER_REASONS].sort());
    expect(Object.keys(texts.ledger.kind).sort()).toEqual([...entryKindSchema.options].sort());
  }
});

it('quotes what would break a line, and disarms what a spreadsheet would run', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\r\nlines', null, -5])).toBe(
    '"a,b","say ""hi""","two\r\nlines",,-5\r\n',
  );
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'];
  for (const formula of formulas) expect(csvLine([formula])).toMatch(/^"?'/);
  expect(csvLine(['a=b', '5-3'])).toBe('a=b,5-3\r\n');
});
