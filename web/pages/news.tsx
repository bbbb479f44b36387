import { news } from 'virtual:news';
import { Link, useLoaderData } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { NewsDate } from './layout/news-date.tsx';
import { PageTitle } from './layout/page-title.tsx';

/** Runs when the page is built: what all items say in short. */
export function loader({ params }: { params: { lang?: string } }) {
  const items = params.lang === 'en' ? news.en : news.zh;
  return items.map(({ slug, date, title, summary }) => ({ slug, date, title, summary }));
}

export default function NewsPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const items = useLoaderData<typeof loader>();
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="news" />
      <PageTitle title={t('news.title')}>
        {t('news.lead')}
        <a href={`${pathTo('news')}/rss.xml`} className="ml-4 whitespace-nowrap underline underline-offset-4">
          {t('news.rss')}
        </a>
      </PageTitle>
      <ul>
        {items.map(({ slug, date, title, summary }) => (
          <li key={slug}>
            <article className="grid gap-x-10 gap-y-2 border-line border-t py-6 md:grid-cols-[9rem_minmax(0,2fr)_minmax(0,3fr)] md:items-baseline">
              <NewsDate date={date} />
              <h2 className="headline text-2xl">
                <Link to={`${pathTo('news')}/${slug}`} className="underline-offset-4 hover:underline">
                  {title}
                </Link>
              </h2>
              <p className="text-soft">{summary}</p>
            </article>
          </li>
        ))}
      </ul>
    </div>
  );
}
