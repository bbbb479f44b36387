import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { RichText } from '#web/ui/text/rich-text.tsx';

/** The consent of the registration form, with its two links, which carry no language prefix. */
export function TermsCheckbox({ error }: { error: string | undefined }) {
  const { t } = useTranslation('common');
  const linkTo = (path: string) => (text: string) => (
    <Link to={path} target="_blank" className="whitespace-nowrap underline underline-offset-4">
      {text}
    </Link>
  );
  const label = (
    <RichText text={t('account.agree')} parts={{ terms: linkTo('/terms'), privacy: linkTo('/privacy') }} />
  );
  return <Checkbox name="agreed" required error={error} label={label} />;
}
