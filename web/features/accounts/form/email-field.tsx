import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { TextField } from '#web/ui/text-field.tsx';

/** The address of the account, as forms without a session ask for it; `error` is said at the field. */
export function EmailField({ error }: { error: TextKey | undefined }) {
  const { t } = useTranslation('common');
  return (
    <TextField
      label={t('account.email')}
      name="email"
      type="email"
      autoComplete="username"
      required
      maxLength={254}
      error={error && t(error)}
    />
  );
}
