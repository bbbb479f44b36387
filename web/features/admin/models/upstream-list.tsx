import type { ShownUpstream, ShownUpstreamPrice } from '#contract/admin/models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Address } from '../show/address.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';

/** Who answers for a model, in the order in which they are tried, each with what it charges and from when on. */
export function UpstreamList({ upstreams }: { upstreams: readonly ShownUpstream[] }) {
  const { t } = useTranslation('admin');
  const word = useWords();
  if (upstreams.length === 0) return <span className="text-danger">{t('admin.models.noUpstreams')}</span>;
  return (
    <ol className="flex flex-col gap-3 break-keep">
      {upstreams.map(({ provider, model, role, missingSetting, prices }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the upstreams of one model keep their places.
        <li key={place}>
          <span lang="zxx" className="font-mono text-[0.8125rem]">
            {model}
          </span>{' '}
          <span className="text-soft">
            <Address address={provider} />
            {`\u00a0· ${word('upstreamRole', role)}`}
          </span>
          {missingSetting === null ? null : (
            <span className="block text-danger">
              {t('admin.models.missing', { setting: missingSetting })}
            </span>
          )}
          {prices.length === 0 ? (
            <span className="block text-warning">{t('admin.models.noPrices')}</span>
          ) : (
            <ul className="mt-1 flex flex-col gap-1">
              {prices.map((price) => (
                <li key={price.from ?? ''}>
                  <PriceText price={price} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

/** From which day on it holds, and all that it says. */
function PriceText({ price }: { price: ShownUpstreamPrice }) {
  const { t } = useTranslation('admin');
  const { dollarPrice } = useFormat();
  const { from, isCurrent, input, cachedInput, output, searchQuery, searchedRequest, pictures } = price;
  const parts = [
    t('admin.models.input', { price: dollarPrice(input) }),
    ...(cachedInput === null ? [] : [t('admin.models.cachedInput', { price: dollarPrice(cachedInput) })]),
    t('admin.models.output', { price: dollarPrice(output) }),
    ...(searchQuery === null ? [] : [t('admin.models.searchQuery', { price: dollarPrice(searchQuery) })]),
    ...(searchedRequest === null
      ? []
      : [t('admin.models.searchedRequest', { price: dollarPrice(searchedRequest) })]),
    ...pictures.map(({ size, price: each }) => t('admin.models.picture', { size, price: dollarPrice(each) })),
  ];
  return (
    <>
      <span className="text-soft tabular-nums">
        {from === null ? t('admin.models.always') : t('admin.models.since', { day: from })}
        {isCurrent ? ` · ${t('admin.models.current')}` : ''}
      </span>
      <span className="block tabular-nums">{parts.join(' · ')}</span>
    </>
  );
}
