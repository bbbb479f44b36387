import { useTranslation } from 'react-i18next';

export default function FaqPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} faq</h1>;
}
