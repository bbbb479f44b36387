import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** The consent of the registration form, with its two links, which carry no language prefix. */
export function TermsLabel() {
  const { t } = useTranslation('common');
  const linkTo = (path: string) => (text: string) => (
    <Link to={path} target="_blank" className="underline underline-offset-4">
      {text}
    </Link>
  );
  return (
    <RichText text={t('account.agree')} parts={{ terms: linkTo('/terms'), privacy: linkTo('/privacy') }} />
  );
}
