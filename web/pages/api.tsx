import { Link, useLoaderData } from 'react-router';
import * as en from '#web/content/api/en.md';
import * as zh from '#web/content/api/zh.md';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { ModelPrices } from '#web/features/openai-api/model-prices.tsx';
import { QuickStart } from '#web/features/openai-api/quick-start.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { ContentsList } from './layout/contents-list.tsx';
import { EmailText } from './layout/email-text.tsx';
import { NeedsScript } from './layout/needs-script.tsx';
import { PageTitle } from './layout/page-title.tsx';

/** Where the text of the reference has its table of models. */
const MODELS_MARK = '<!-- models -->';

const loadTools = () => import('./layout/api-tools.tsx');

/** Runs when the page is built: the reference in the language of the path, with its sections. */
export function loader({ params }: { params: { lang?: string } }) {
  const { html, sections } = params.lang === 'en' ? en : zh;
  const [before = '', after = ''] = html.split(MODELS_MARK);
  return { before, after, sections };
}

export default function ApiPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { before, after, sections } = useLoaderData<typeof loader>();
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
        <ContentsList path={pathTo('api')} sections={[...ours, ...sections]} />
        <div className="min-w-0">
          <QuickStart />
          <Tools />
          <Reference html={before} />
          <ModelPrices />
          <Reference html={after} />
          <p className="mt-12 max-w-prose text-soft">
            <EmailText text="api.contact" />
          </p>
        </div>
      </div>
    </div>
  );
}

function Reference({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build.
  return <div className="prose reference" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Keys, a trial and usage for a user; the sign-in for a visitor. */
function Tools() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const tools = useModule(session.state === 'signed-in', loadTools);
  if (session.state === 'signed-in') {
    return tools ? <tools.ApiTools credits={session.user.credits} /> : <div className="min-h-96" />;
  }
  return (
    <section aria-labelledby="keys" className="until-session-known mb-16">
      <h2 id="keys" className="headline mb-3 text-3xl">
        {t('keys.title')}
      </h2>
      <p className="mb-4 max-w-prose text-soft">{t('keys.signedOut')}</p>
      {session.state === 'loading' ? (
        <div className="min-h-11">
          <NeedsScript />
        </div>
      ) : (
        <Link
          to={`${pathTo('login')}?next=${encodeURIComponent(pathTo('api'))}`}
          className={buttonStyle('secondary')}
        >
          {t('nav.login')}
        </Link>
      )}
    </section>
  );
}
