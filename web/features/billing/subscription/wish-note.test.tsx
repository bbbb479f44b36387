import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import type { HeldSubscription } from '#contract/billing.ts';
import { LANGUAGES } from '#contract/choices.ts';
import { OFFER_MS } from '#contract/plan-rank.ts';
import { DAY_MS } from '#contract/time.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { WishNote } from './status-notices.tsx';

const TEXTS = { zh, en };
const ORDER_ID = '0199ffff-ffff-7fff-bfff-ffffffffffff';

describe.each(LANGUAGES)('the note of a planned downgrade, in %s', (language) => {
  const { subscription } = TEXTS[language];

  /** The note for a plan that ends in some days, of a subscription that can be resumed or not. */
  function draw(daysLeft: number, canResume: boolean): string {
    const until = Date.now() + daysLeft * DAY_MS;
    const from = until - OFFER_MS;
    const terms = { planKey: 'gemini_basic', cycle: 'monthly', orderId: ORDER_ID } as const;
    const wish = { ...terms, from, until, open: Date.now() >= from };
    const subscriptions = [{ orderId: ORDER_ID, canResume }] as HeldSubscription[];
    return renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <TranslationProvider language={language} dictionary={TEXTS[language]}>
          <MemoryRouter>
            <WishNote wish={wish} provider="creem" subscriptions={subscriptions} />
          </MemoryRouter>
        </TranslationProvider>
      </QueryClientProvider>,
    );
  }

  it('names the way back only where its subscription can be resumed', () => {
    expect(draw(20, true)).toContain(subscription.resume);
    expect(draw(20, false)).not.toContain(subscription.resume);
  });

  it('says until when the plan stays only before that day', () => {
    const [open = '', late = ''] = [subscription.wishOpen, subscription.wishLate].map(
      (text) => text.split('{{')[0],
    );
    expect(draw(2, false)).toContain(open);
    expect(draw(-2, false)).toContain(late);
    expect(draw(-2, false)).not.toContain(open);
  });
});
