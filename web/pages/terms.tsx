import { useTranslation } from 'react-i18next';

export default function TermsPage() {
  const { t } = useTranslation('common');
  return <h1>{t('site.title')} terms</h1>;
}
