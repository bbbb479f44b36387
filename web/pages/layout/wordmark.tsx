import { brand } from 'virtual:site';
import { Link } from 'react-router';
import { LANGUAGE_TAG, OTHER_LANGUAGE } from '#contract/choices.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { MarkedName, StandingMark } from '#web/ui/mark.tsx';

/** The mark, standing on the baseline of both names, the reader's language first; leads home. */
export function Wordmark() {
  const language = useLanguage();
  const pathTo = useLocalPath();
  const [first, second] = language === 'zh' ? [brand.nameZh, brand.name] : [brand.name, brand.nameZh];
  const secondLanguage = LANGUAGE_TAG[OTHER_LANGUAGE[language]];
  return (
    <Link to={pathTo('')} className="flex min-h-11 items-center gap-2.5 rounded-control whitespace-nowrap">
      <StandingMark />
      <span className="flex items-baseline gap-2">
        <MarkedName className="text-xl">{first}</MarkedName>
        {second === first ? null : (
          <span lang={secondLanguage} className="text-soft text-sm max-sm:hidden">
            {second}
          </span>
        )}
      </span>
    </Link>
  );
}
