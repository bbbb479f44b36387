import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Act, ActEffect, ActPreview } from '#contract/admin/acts.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button, Spinner } from '#web/ui/button.tsx';
import { mayPass } from '../show/may-pass.ts';
import { useErrorText } from '../show/use-error-text.ts';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { describeEffect } from './describe-effect.ts';
import { PauseFacts, PriceFacts } from './model-facts.tsx';

/** How long one types before the server is asked. */
const SETTLE_MS = 250;

/** What the act would do now, read again whenever it becomes another one; nothing while it is none. */
export function usePreview(act: Act | null) {
  const key = JSON.stringify(act);
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const isSettled = settled === key && act !== null;
  const query = useQuery({
    queryKey: ['admin-preview', settled],
    queryFn: ({ signal }) =>
      callApi<ActPreview>('/api/admin/acts/preview', { method: 'POST', body: { act }, signal }),
    enabled: isSettled,
    retry: false,
    gcTime: 0,
  });
  return { query, preview: isSettled && !query.isFetching ? (query.data ?? null) : null };
}

interface PreviewBoxProps {
  preview: ReturnType<typeof usePreview>;
  act: Act | null;
  currency: string | undefined;
  /** Whether another operator has still to agree. */
  saysSecond: boolean;
}

/** What would change, before it is done. */
export function PreviewBox({ preview: { query, preview }, act, currency, saysSecond }: PreviewBoxProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  return (
    <div className="min-h-20 rounded-card bg-sunken px-4 py-3">
      <h3 className="mb-1 text-soft text-sm">{t('admin.acts.preview')}</h3>
      <div role="status">
        {act === null ? (
          <p className="text-soft text-sm">{t('admin.acts.previewNeedsAmount')}</p>
        ) : preview ? (
          <>
            <EffectList effects={preview.effects} currency={currency} />
            {preview.pause ? <PauseFacts pause={preview.pause} /> : null}
            {preview.price ? <PriceFacts price={preview.price} /> : null}
            {saysSecond && preview.needsSecondOperator ? (
              <p className="mt-2 text-sm text-warning">{t('admin.acts.needsSecondOperator')}</p>
            ) : null}
          </>
        ) : query.isError && !query.isFetching ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-danger text-sm">{errorText(query.error)}</p>
            {mayPass(query.error) ? (
              <Button variant="quiet" size="small" onClick={() => void query.refetch()}>
                {t('admin.retry')}
              </Button>
            ) : null}
          </div>
        ) : (
          <p className="flex items-center gap-2 text-soft text-sm">
            <Spinner />
            {t('admin.acts.previewLoading')}
          </p>
        )}
      </div>
    </div>
  );
}

function EffectList({ effects, currency }: { effects: readonly ActEffect[]; currency: string | undefined }) {
  const { t } = useTranslation('admin');
  const { whole, change, money } = useFormat();
  const word = useWords();
  const write = {
    whole,
    change,
    word,
    money: (minor: number) => (currency ? money({ currency, minor }) : String(minor)),
    open: t('admin.acts.openOutcome'),
  };
  return (
    <dl className="flex flex-col gap-1">
      {effects.map((effect) => {
        const text = describeEffect(effect, write);
        return (
          <div key={effect.what} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-sm">{t(`admin.effect.${effect.what}`)}</dt>
            <dd className="font-medium tabular-nums">
              {text.before}
              <span aria-hidden>{' → '}</span>
              <span className="sr-only">{t('admin.acts.becomes')}</span>
              {text.after}
              {text.change ? <span className="ml-2 font-normal text-soft">{text.change}</span> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
