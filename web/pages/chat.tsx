import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';

export default function ChatPage() {
  const { t } = useTranslation('common');
  return (
    <div className="page py-16">
      <PageHead page="chat" />
      <h1 className="headline text-4xl">{t('page.chat.title')}</h1>
    </div>
  );
}
