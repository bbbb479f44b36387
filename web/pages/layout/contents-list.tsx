import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Fold } from '#web/ui/text/fold.tsx';

interface ContentsListProps {
  /** The page's own path. */
  path: string;
  /** The sections of the page, by the ids of their headings. */
  sections: readonly { id: string; title: string }[];
}

/** How far down a heading stands, in pixels, when its link led to it, and a little more. */
const READ_AT = 140;

/** What is on a long page: always in sight beside it where there is room, folded above it where there is none. */
export function ContentsList({ path, sections }: ContentsListProps) {
  const { t } = useTranslation('common');
  const title = t('api.onThisPage');
  const read = useReadSection(sections.map(({ id }) => id));
  const list = (
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
