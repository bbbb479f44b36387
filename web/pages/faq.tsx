import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { EmailText } from './layout/email-text.tsx';
import { PageTitle } from './layout/page-title.tsx';
import { QuestionList } from './layout/question-list.tsx';

const GROUPS = [
  { group: 'credits', questions: ['cost', 'failure', 'expiry', 'free'] },
  { group: 'payment', questions: ['cancel', 'methods', 'refunds', 'receipts'] },
  { group: 'account', questions: ['accuracy', 'storage', 'deletion'] },
] as const;

export default function FaqPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="faq" />
      <PageTitle title={t('faq.title')}>
        <EmailText text="faq.lead" />
      </PageTitle>
      <nav aria-label={t('faq.groupsLabel')} className="-mt-6 mb-12">
        <ul className="flex flex-wrap gap-x-6">
          {GROUPS.map(({ group }) => (
            <li key={group}>
              <a
                href={`#${group}`}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {t(`faq.groups.${group}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-col gap-14">
        {GROUPS.map(({ group, questions }) => (
          <section key={group} aria-labelledby={group}>
            <h2 id={group} className="headline mb-6 text-3xl">
              {t(`faq.groups.${group}`)}
            </h2>
            <QuestionList questions={questions} level="h3" />
          </section>
        ))}
      </div>
    </div>
  );
}
