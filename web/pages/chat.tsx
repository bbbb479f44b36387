import { useTranslation } from 'react-i18next';

export default function ChatPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} chat</h1>;
}
