import { languageTag } from '#web/lib/language.ts';
import { useLanguage } from '#web/lib/use-language.ts';

/** A day, `YYYY-MM-DD`, written out in the reader's language. */
export function NewsDate({ date }: { date: string }) {
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(languageTag(language), { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <time dateTime={date} className="text-soft">
      {format.format(new Date(date))}
    </time>
  );
}
