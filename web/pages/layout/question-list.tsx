import { brand } from 'virtual:site';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Dictionary } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { linkToEmail } from './email-text.tsx';

export type Question = keyof Dictionary['faq']['items'];

interface QuestionListProps {
  questions: readonly Question[];
  /** The heading of a question, one below the heading above the list. */
  level: 'h2' | 'h3';
}

/** Questions with their answers, all open. */
export function QuestionList({ questions, level: Heading }: QuestionListProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const linkTo = (path: string) => (text: string) => (
    <Link to={path} className="text-ink underline underline-offset-4">
      {text}
    </Link>
  );
  return (
    <ul className="flex flex-col">
      {questions.map((question) => (
        <li
          key={question}
          id={question}
          className="grid gap-x-12 gap-y-2 border-line border-t py-6 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
        >
          <Heading className="font-semibold text-lg">{t(`faq.items.${question}.question`)}</Heading>
          <p className="max-w-prose text-soft">
            <RichText
              text={t(`faq.items.${question}.answer`, { email: brand.supportEmail })}
              parts={{
                email: linkToEmail,
                models: linkTo(pathTo('models')),
                orders: linkTo(pathTo('orders')),
                data: linkTo('/profile/data'),
              }}
            />
          </p>
        </li>
      ))}
    </ul>
  );
}
