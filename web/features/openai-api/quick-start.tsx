import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { usePrices } from '#web/features/catalogue/use-prices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { siteOrigin } from '#web/lib/origin.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { CodeSample } from './code-sample.tsx';
import {
  fillSample,
  SAMPLE_LANGUAGES,
  SAMPLE_MODEL,
  SAMPLE_NAMES,
  type SampleLanguage,
  type Samples,
} from './samples.ts';

/** The way to a first answer: a key, a request in the reader's language of choice, for this very server, and what it brings. `samples`: by the build. */
export function QuickStart({ samples }: { samples: Samples }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { priceOf, defaultCost } = usePrices();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const baseUrl = `${siteOrigin}/v1`;
  const filling = {
    baseUrl,
    prompt: t('api.samplePrompt'),
    answer: t('api.sampleAnswer'),
    credits: String(priceOf(SAMPLE_MODEL)?.cost ?? defaultCost),
  };
  const toKeys = (text: string) => (
    <Link
      key="keys"
      to={{ pathname: pathTo('api'), hash: 'keys' }}
      className="text-ink underline underline-offset-4"
    >
      {text}
    </Link>
  );
  return (
    <section aria-labelledby="start" className="mb-16">
      <h2 id="start" className="headline mb-3 text-3xl">
        {t('api.startTitle')}
      </h2>
      <p className="mb-6 max-w-prose text-soft">{t('api.startText')}</p>
      <ol className="flex flex-col gap-8">
        <Step at={1} title={t('api.stepKey')}>
          <p className="max-w-prose text-soft">
            <RichText text={t('api.stepKeyText')} parts={{ keys: toKeys, code: wireName }} />
          </p>
        </Step>
        <Step at={2} title={t('api.stepAsk')}>
          <CodeSample code={{ html: fillSample(samples[language], filling) }}>
            <Segmented
              label={t('api.sampleLanguage')}
              name="sample"
              value={language}
              onChange={setLanguage}
              options={SAMPLE_LANGUAGES.map((value) => ({ value, label: SAMPLE_NAMES[value] }))}
            />
          </CodeSample>
        </Step>
        <Step at={3} title={t('api.stepAnswer')}>
          <p className="mb-3 max-w-prose text-soft">
            <RichText text={t('api.stepAnswerText')} parts={{ code: wireName }} />
          </p>
          <CodeSample code={{ html: fillSample(samples.answer, filling) }}>
            <span className="px-1 text-soft text-sm">{t('api.response')}</span>
          </CodeSample>
        </Step>
      </ol>
      <Addresses baseUrl={baseUrl} />
    </section>
  );
}

function Step({ at, title, children }: { at: number; title: string; children: ReactNode }) {
  return (
    <li className="min-w-0">
      <h3 className="mb-2 flex items-baseline gap-2 font-semibold text-lg">
        <span aria-hidden className="text-soft tabular-nums">{`${at}.`}</span>
        {title}
      </h3>
      {children}
    </li>
  );
}

/** A name of the wire inside a sentence. */
function wireName(text: string) {
  return (
    <code
      key={text}
      lang="zxx"
      className="whitespace-nowrap rounded bg-sunken px-1 py-0.5 font-mono text-sm text-ink"
    >
      {text}
    </code>
  );
}

/** What other clients are told, and tools that read a description. */
function Addresses({ baseUrl }: { baseUrl: string }) {
  const { t } = useTranslation('common');
  return (
    <dl className="mt-8 grid max-w-prose gap-x-8 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-soft">{t('api.baseUrl')}</dt>
      <dd className="mb-2 break-all font-mono text-sm leading-6">{baseUrl}</dd>
      <dt className="text-soft">{t('api.description')}</dt>
      <dd className="mb-2 break-all font-mono text-sm leading-6">
        <a href="/v1/openapi.json" className="underline underline-offset-4">
          {`${baseUrl}/openapi.json`}
        </a>
      </dd>
    </dl>
  );
}
