import { news } from 'virtual:news';
import { Link, useLoaderData } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Head } from '#web/lib/page-head.tsx';
import { localPath, useLocalPath } from '#web/lib/use-language.ts';
import { NewsDate } from './layout/news-date.tsx';

/** Runs when the page is built: the item that the address names. */
export function loader({ params }: { params: { lang?: string; slug?: string } }) {
  const items = params.lang === 'en' ? news.en : news.zh;
  const item = items.find(({ slug }) => slug === params.slug);
  if (!item) throw new Response(null, { status: 404 });
  return item;
}

export default function NewsItemPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { slug, date, title, summary, html } = useLoaderData<typeof loader>();
  return (
    <article className="page py-16 sm:py-20">
      <Head
        title={t('page.newsItem.title', { title })}
        description={summary}
        pathIn={(language) => `${localPath(language, 'news')}/${slug}`}
      />
      <div className="mb-10 flex max-w-prose flex-col gap-4">
        <NewsDate date={date} />
        <h1 className="headline break-keep text-4xl sm:text-5xl">{title}</h1>
        <p className="text-lg text-soft">{summary}</p>
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build. */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <Link
        to={pathTo('news')}
        className="mt-12 inline-flex min-h-11 items-center underline underline-offset-4"
      >
        {t('news.all')}
      </Link>
    </article>
  );
}
