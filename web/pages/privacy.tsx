import { useTranslation } from 'react-i18next';

export default function PrivacyPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} privacy</h1>;
}
