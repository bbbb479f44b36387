import { useTranslation } from '#web/lib/i18n.tsx';

/** A legal text: English, under a note where the reader's language is another. */
export function LegalText({ html }: { html: string }) {
  const { t, i18n } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      {i18n.language === 'en' ? null : (
        <p className="mb-10 max-w-prose border-line border-l-2 pl-4 text-soft">{t('legal.note')}</p>
      )}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build. */}
      <article lang="en" className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
