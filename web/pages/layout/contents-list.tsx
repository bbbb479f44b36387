import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Fold } from '#web/ui/text/fold.tsx';

/** A section of a page, by the id of its heading. */
interface Section {
  id: string;
  title: string;
}

interface ContentsListProps {
  /** The page's own path. */
  path: string;
  sections: readonly Section[];
  /** Those of another kind, behind them under a title of their own. */
  more?: { title: string; sections: readonly Section[] };
}

/** How far down a heading stands, in pixels, when its link led to it, and a little more. */
const READ_AT = 140;

/** What is on a long page: always in sight beside it where there is room, folded above it where there is none. */
export function ContentsList({ path, sections, more }: ContentsListProps) {
  const { t } = useTranslation('common');
  const title = t('api.onThisPage');
  const read = useReadSection([...sections, ...(more?.sections ?? [])].map(({ id }) => id));
  const list = (
    <>
      <SectionLinks path={path} sections={sections} read={read} />
      {more ? (
        <>
          <p className="mt-4 mb-2 font-semibold text-sm">{more.title}</p>
          <SectionLinks path={path} sections={more.sections} read={read} />
        </>
      ) : null}
    </>
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

interface SectionLinksProps extends Pick<ContentsListProps, 'path' | 'sections'> {
  /** The one that is being read. */
  read: string | undefined;
}

function SectionLinks({ path, sections, read }: SectionLinksProps) {
  return (
    <ul className="flex flex-col text-sm">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link
            to={{ pathname: path, hash: id }}
            aria-current={id === read ? 'location' : undefined}
            className="flex min-h-7 items-center border-line border-l py-1 pl-3 text-soft leading-snug hover:text-ink aria-[current=location]:border-ink aria-[current=location]:text-ink pointer-coarse:min-h-11"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The id of the section that is being read; undefined above the first. At the end of the page it is the last. */
function useReadSection(ids: readonly string[]): string | undefined {
  const [read, setRead] = useState<string>();
  const joined = ids.join('\n');
  useEffect(() => {
    function find() {
      const all = joined.split('\n');
      const { scrollHeight } = document.documentElement;
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 1;
      const passed = all.filter((id) => {
        const heading = document.getElementById(id);
        return heading !== null && (isAtEnd || heading.getBoundingClientRect().top < READ_AT);
      });
      setRead(passed.at(-1));
    }
    find();
    addEventListener('scroll', find, { passive: true });
    return () => removeEventListener('scroll', find);
  }, [joined]);
  return read;
}
