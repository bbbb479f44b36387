import { useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { FoldSummary } from '#web/ui/text/fold.tsx';
import { ContentsList } from './contents-list.tsx';
import { PageTitle } from './page-title.tsx';

interface Text {
  title: string;
  /** What is under its title, as HTML. */
  html: string;
  sections: { id: string; title: string }[];
}

interface LegalTextProps {
  /** The translation. */
  zh: Text;
  /** The text that governs. */
  en: Text;
}

/** A legal text beside its contents. A Chinese reader gets its translation, marked as one, with the English text beneath. */
export function LegalText({ zh, en }: LegalTextProps) {
  const { t, i18n } = useTranslation('common');
  const { pathname } = useLocation();
  const isEnglish = i18n.language === 'en';
  const { title, html, sections } = isEnglish ? en : zh;
  return (
    <div className="page py-16 sm:py-20">
      <PageTitle title={title} />
      <div className="gap-x-12 xl:grid xl:grid-cols-[minmax(0,1fr)_14rem]">
        {/* A page is built under its path with a slash at the end. */}
        <ContentsList path={pathname.replace(/\/$/, '')} sections={sections} />
        <div className="min-w-0 max-w-(--container-prose)">
          {isEnglish ? null : (
            <p className="mb-10 border-edge border-l-2 pl-4 text-soft">{t('legal.note')}</p>
          )}
          <Article html={html} lang={isEnglish ? 'en' : 'zh-CN'} />
          {isEnglish ? null : (
            <details className="group/fold mt-16 border-line border-t pt-4">
              <FoldSummary className="min-h-11 py-2 font-medium">{t('legal.original')}</FoldSummary>
              <div className="mt-6">
                <Article html={`<h2 class="text-3xl">${en.title}</h2>${en.html}`} lang="en" />
              </div>
            </details>
          )}
        </div>
      </div>
    </div>
  );
}

/** The text, which begins with its date; English letters are narrower than Chinese ones, and so are its lines. */
function Article({ html, lang }: { html: string; lang: string }) {
  const className = classNames(
    'prose [&>p:first-of-type]:text-soft',
    lang === 'en' && 'max-w-[33rem] font-latin',
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build.
  return <article lang={lang} className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
