import { news } from 'virtual:news';
import { Link, useLoaderData } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Head } from '#web/lib/page-head.tsx';
import { localPath, useLocalPath } from '#web/lib/use-language.ts';
import { ProductPicture } from './home/product-picture.tsx';
import { NewsDate } from './layout/news-date.tsx';

/** Runs when the page is built: the item that the address names, and how the ones before and after it are called. */
export function loader({ params }: { params: { lang?: string; slug?: string } }) {
  const items = params.lang === 'en' ? news.en : news.zh;
  const place = items.findIndex(({ slug }) => slug === params.slug);
  const item = items[place];
  if (!item) throw new Response(null, { status: 404 });
  return { item, older: linkTo(items[place + 1]), newer: linkTo(items[place - 1]) };
}

function linkTo(item: (typeof news)['zh'][number] | undefined) {
  return item ? { slug: item.slug, title: item.title } : null;
}

export default function NewsItemPage() {
  const { t } = useTranslation('common');
  const { item, older, newer } = useLoaderData<typeof loader>();
  const { slug, date, title, summary, picture, html } = item;
  return (
    <div className="page py-16 sm:py-20">
      <Head
        title={t('page.newsItem.title', { title })}
        description={summary}
        pathIn={(language) => `${localPath(language, 'news')}/${slug}`}
      />
      <div className="mx-auto max-w-(--container-prose)">
        <article>
          <div className="mb-10 flex flex-col gap-4">
            <NewsDate date={date} />
            <h1 className="headline break-keep text-4xl">{title}</h1>
            <p className="text-lg text-soft">{summary}</p>
          </div>
          {picture ? (
            <div className="mb-10">
              <ProductPicture scene={picture} withNote />
            </div>
          ) : null}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, made into HTML by the build. */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </article>
        <OtherNews older={older} newer={newer} />
      </div>
    </div>
  );
}

/** To the items beside this one, and to all. */
function OtherNews({ older, newer }: Pick<Awaited<ReturnType<typeof loader>>, 'older' | 'newer'>) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const link = (name: string, item: typeof older) =>
    item ? (
      <Link to={`${pathTo('news')}/${item.slug}`} className="group flex flex-col gap-0.5">
        <span className="text-soft text-sm">{name}</span>
        <span className="underline-offset-4 group-hover:underline">{item.title}</span>
      </Link>
    ) : null;
  return (
    <nav aria-label={t('news.others')} className="mt-12 border-line border-t pt-6">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {link(t('news.older'), older)}
        <div className="sm:col-start-2 sm:text-right">{link(t('news.newer'), newer)}</div>
      </div>
      <Link
        to={pathTo('news')}
        className="mt-6 inline-flex min-h-11 items-center underline underline-offset-4"
      >
        {t('news.all')}
      </Link>
    </nav>
  );
}
