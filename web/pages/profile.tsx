import { useTranslation } from '#web/lib/i18n.tsx';

export default function ProfilePage() {
  const { t } = useTranslation('common');
  return <h1>{t('page.profile.title')}</h1>;
}
