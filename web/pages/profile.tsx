import { useTranslation } from 'react-i18next';

export default function ProfilePage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} profile</h1>;
}
