import { useTranslation } from '#web/lib/i18n.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TermsText } from '../form/terms-text.tsx';

/** The consent of the registration form. */
export function TermsCheckbox({ error }: { error: string | undefined }) {
  const { t } = useTranslation('common');
  return <Checkbox name="agreed" required error={error} label={<TermsText text={t('account.agree')} />} />;
}
