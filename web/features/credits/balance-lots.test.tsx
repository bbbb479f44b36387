import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { formatDay } from '#i18n/formats.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { BalanceLots } from './balance-lots.tsx';

const DECEMBER = new Date(2026, 11, 24, 12).getTime();
const JANUARY = new Date(2027, 0, 24, 12).getTime();

function drawLots(lots: { credits: number; expiresAt: number }[]): string {
  return renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <BalanceLots balance={510} lots={lots} />
    </TranslationProvider>,
  );
}

it('a balance that ends on one day says only the day', () => {
  const page = drawLots([
    { credits: 10, expiresAt: DECEMBER },
    { credits: 500, expiresAt: DECEMBER },
  ]);
  expect(page).toContain(`>${formatDay('en', DECEMBER)}</dd>`);
  expect(page.split('510')).toHaveLength(2);
});

it('a balance that ends on several days says how much of it ends on each', () => {
  const page = drawLots([
    { credits: 10, expiresAt: DECEMBER },
    { credits: 500, expiresAt: JANUARY },
  ]);
  expect(page).toContain(`10\u00a0Credits, valid until ${formatDay('en', DECEMBER)}`);
  expect(page).toContain(`500\u00a0Credits, valid until ${formatDay('en', JANUARY)}`);
});
