import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { UsageChart } from './usage-chart.tsx';

function draw(credits: number[]): string {
  const days = credits.map((of, index) => ({ day: `2026-11-0${index + 1}`, credits: of, requests: 1 }));
  return renderToStaticMarkup(
    <TranslationProvider language="en" dictionary={en}>
      <UsageChart days={days} />
    </TranslationProvider>,
  );
}

test('usage of several days is drawn, that of one is said in words, and none without a charge', () => {
  expect(draw([8, 8, 0])).toContain('<rect');
  expect(draw([0, 8, 0])).toMatch(/^<p [^>]*>8\sCredits spent in the last 3 days, all on 2026-11-02\.<\/p>$/);
  expect(draw([0, 0])).toBe('');
});
