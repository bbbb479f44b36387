import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { PageTitle } from './layout/page-title.tsx';

/** Newest first; dates are days, without a time. */
const ITEMS = [{ name: 'firstRelease', date: '2026-11-21' }] as const;

export default function NewsPage() {
  const { t, i18n } = useTranslation('common');
  const dates = new Intl.DateTimeFormat(languageTag(i18n.language), { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="news" />
      <PageTitle title={t('news.title')}>{t('news.lead')}</PageTitle>
      <ul>
        {ITEMS.map(({ name, date }) => (
          <li key={name}>
            <article className="grid gap-x-12 gap-y-2 border-line border-t py-6 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
              <time dateTime={date} className="text-soft">
                {dates.format(new Date(date))}
              </time>
              <div className="flex max-w-prose flex-col gap-2">
                <h2 className="headline text-2xl">{t(`news.items.${name}.title`)}</h2>
                <p>{t(`news.items.${name}.summary`)}</p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </div>
  );
}
