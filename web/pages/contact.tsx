import { useTranslation } from 'react-i18next';

export default function ContactPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} contact</h1>;
}
