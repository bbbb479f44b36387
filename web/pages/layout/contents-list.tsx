import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Fold } from '#web/ui/text/fold.tsx';

interface ContentsListProps {
  /** The page's own path. */
  path: string;
  /** The sections of the page, by the ids of their headings. */
  sections: readonly { id: string; title: string }[];
}

/** What is on a long page: always in sight beside it where there is room, folded above it where there is none. */
export function ContentsList({ path, sections }: ContentsListProps) {
  const { t } = useTranslation('common');
  const title = t('api.onThisPage');
  const list = (
    <ul className="flex flex-col text-sm">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link
            to={{ pathname: path, hash: id }}
            className="flex min-h-8 items-center text-soft hover:text-ink pointer-coarse:min-h-11"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <nav aria-label={title} className="mb-10 xl:hidden">
        <Fold label={title}>
          <div className="pl-5.5">{list}</div>
        </Fold>
      </nav>
      <nav
        aria-label={title}
        className="sticky top-24 col-start-2 row-start-1 max-h-[calc(100dvh-8rem)] self-start overflow-y-auto max-xl:hidden"
      >
        <p className="mb-2 font-semibold text-sm">{title}</p>
        {list}
      </nav>
    </>
  );
}
