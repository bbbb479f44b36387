import { formatDay } from '#i18n/formats.ts';
import { useLanguage } from '#web/lib/use-language.ts';

/** A day, `YYYY-MM-DD`, written out in the reader's language. */
export function NewsDate({ date }: { date: string }) {
  const language = useLanguage();
  return (
    <time dateTime={date} className="text-soft">
      {formatDay(language, new Date(date), 'UTC')}
    </time>
  );
}
