import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Charge } from '#contract/billing.ts';
import { LANGUAGES } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ChargeTable } from './charge-table.tsx';

const TEXTS = { zh, en };
const PAID_AT = Date.UTC(2026, 10, 21);
const CHARGE: Charge = {
  transactionId: 'tran_4711',
  paidAt: PAID_AT,
  periodStart: PAID_AT,
  periodEnd: Date.UTC(2026, 11, 21),
  credits: 1_500,
  amountMinor: 990,
  refundedMinor: 0,
  currency: 'USD',
  disputed: false,
};

describe.each(LANGUAGES)('the sum of a receipt, in %s', (language) => {
  const { orders } = TEXTS[language];
  const draw = (charges: Charge[]) =>
    renderToStaticMarkup(
      <TranslationProvider language={language} dictionary={TEXTS[language]}>
        <ChargeTable charges={charges} />
      </TranslationProvider>,
    );

  it('stands beneath the amount of each charge, also of a single one', () => {
    expect(draw([CHARGE]).split('9.90')).toHaveLength(3);
  });

  it('says of a charge that granted nothing that it did not', () => {
    const page = draw([CHARGE, { ...CHARGE, transactionId: 'tran_4712', credits: 0 }]);
    expect(page.split(`<dd>${orders.grantedNothing}</dd>`)).toHaveLength(2);
  });

  it('says nothing of refunds where there was none', () => {
    const page = draw([CHARGE, { ...CHARGE, transactionId: 'tran_4712' }]);
    expect(page).toContain(`<span>${orders.totalPaid}</span>`);
    expect(page).toContain('19.80');
  });

  it('says that a refund is taken off', () => {
    const page = draw([CHARGE, { ...CHARGE, transactionId: 'tran_4712', refundedMinor: 490 }]);
    expect(page).toContain(`<span>${orders.totalKept}</span>`);
    expect(page).toContain('14.90');
  });
});
