import { useTranslation } from '#web/lib/i18n.tsx';
import { FoldSummary } from '#web/ui/text/fold.tsx';

interface LegalTextProps {
  /** The translation, as HTML. */
  zh: string;
  /** The text that governs, as HTML. */
  en: string;
}

/** A legal text. A Chinese reader gets its translation, marked as one, with the English text beneath. */
export function LegalText({ zh, en }: LegalTextProps) {
  const { t, i18n } = useTranslation('common');
  if (i18n.language === 'en') {
    return (
      <div className="page py-16 sm:py-20">
        <Text html={en} lang="en" />
      </div>
    );
  }
  return (
    <div className="page py-16 sm:py-20">
      <p className="mb-10 max-w-prose border-edge border-l-2 pl-4 text-soft">{t('legal.note')}</p>
      <Text html={zh} lang="zh-CN" />
      <details className="group/fold mt-16 max-w-prose border-line border-t pt-4">
        <FoldSummary className="min-h-11 py-2 font-medium">{t('legal.original')}</FoldSummary>
        <div className="mt-6">
          <Text html={en.replace(/(<\/?)h1>/g, '$1h2>')} lang="en" />
        </div>
      </details>
    </div>
  );
}

function Text({ html, lang }: { html: string; lang: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build.
  return <article lang={lang} className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
