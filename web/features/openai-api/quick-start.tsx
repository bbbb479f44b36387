import { useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { siteOrigin } from '#web/lib/origin.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { CodeSample } from './code-sample.tsx';
import { SAMPLE_LANGUAGES, SAMPLE_NAMES, type SampleLanguage, writeSample } from './samples.ts';

const MODEL = 'parley-flash';

/** The first request, in the reader's language of choice, for this very server. */
export function QuickStart() {
  const { t } = useTranslation('common');
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const baseUrl = `${siteOrigin}/v1`;
  const code = writeSample(language, { baseUrl, model: MODEL, prompt: t('api.samplePrompt') });
  return (
    <section aria-labelledby="start" className="mb-16">
      <h2 id="start" className="headline mb-3 text-3xl">
        {t('api.startTitle')}
      </h2>
      <p className="mb-6 max-w-prose text-soft">{t('api.startText')}</p>
      <dl className="mb-6 grid max-w-prose gap-x-8 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-soft">{t('api.baseUrl')}</dt>
        <dd className="mb-2 break-all font-mono text-sm leading-6">{baseUrl}</dd>
        <dt className="text-soft">{t('api.description')}</dt>
        <dd className="mb-2 break-all font-mono text-sm leading-6">
          <a href="/v1/openapi.json" className="underline underline-offset-4">
            {`${baseUrl}/openapi.json`}
          </a>
        </dd>
      </dl>
      <CodeSample code={code}>
        <Segmented
          label={t('api.sampleLanguage')}
          name="sample"
          value={language}
          onChange={setLanguage}
          options={SAMPLE_LANGUAGES.map((value) => ({ value, label: SAMPLE_NAMES[value] }))}
        />
      </CodeSample>
    </section>
  );
}
