import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { EmailText } from './layout/email-text.tsx';
import { PageTitle } from './layout/page-title.tsx';
import { QuestionList } from './layout/question-list.tsx';

const QUESTIONS = ['accuracy', 'storage', 'deletion', 'cost', 'failure', 'expiry', 'free', 'cancel'] as const;

export default function FaqPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="faq" />
      <PageTitle title={t('faq.title')}>
        <EmailText text="faq.lead" />
      </PageTitle>
      <QuestionList questions={QUESTIONS} level="h2" />
    </div>
  );
}
