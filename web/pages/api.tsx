import { useLoaderData } from 'react-router';
import * as en from '#web/content/api/en.md';
import * as zh from '#web/content/api/zh.md';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { QuickStart } from '#web/features/openai-api/quick-start.tsx';
import { Reference } from '#web/features/openai-api/reference.tsx';
import { writeSamples } from '#web/features/openai-api/samples.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { colourBlocks, colourCode } from './api/colour-code.ts';
import { KeyTools } from './api/key-tools.tsx';
import { ContentsList } from './layout/contents-list.tsx';
import { EmailText } from './layout/email-text.tsx';
import { PageTitle } from './layout/page-title.tsx';

/** Runs when the page is built: the reference in the language of the path, with its sections and its code in colours. */
export function loader({ params }: { params: { lang?: string } }) {
  const { html, sections } = params.lang === 'en' ? en : zh;
  return { html: colourBlocks(html), sections, samples: writeSamples(colourCode) };
}

export default function ApiPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { html, sections, samples } = useLoaderData<typeof loader>();
  const { state } = useSession();
  const ours = [
    { id: 'start', title: t('api.startTitle') },
    { id: 'keys', title: t('keys.title') },
    ...(state === 'signed-in'
      ? [
          { id: 'try', title: t('api.tryTitle') },
          { id: 'usage', title: t('keys.usage.title') },
        ]
      : []),
  ];
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="api" />
      <PageTitle title={t('api.title')}>{t('api.lead')}</PageTitle>
      <div className="gap-x-12 xl:grid xl:grid-cols-[minmax(0,1fr)_11rem]">
        <ContentsList path={pathTo('api')} sections={ours} more={{ title: t('api.reference'), sections }} />
        <div className="min-w-0">
          <QuickStart samples={samples} />
          <KeyTools />
          <Reference html={html} />
          <p className="mt-12 max-w-prose text-soft">
            <EmailText text="api.contact" />
          </p>
        </div>
      </div>
    </div>
  );
}
