import { useEffect, useState } from 'react';
import { MAX_PASSWORD, MIN_PASSWORD } from '#contract/limits.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PasswordField } from './password-field.tsx';

const PAUSE_MS = 400;

interface NewPasswordFieldsProps {
  label: string;
  required?: boolean;
  /** What is wrong, said at each field. */
  errors: { password?: string | undefined; confirmation?: string | undefined };
}

/**
 * Where a new password is chosen, `password` and `confirmation` in the form. Says how long it should be, and warns of one that others
 * would try first; the warning does not block the form. A field named `email` of the same form says whose password it is.
 */
export function NewPasswordFields({ label, required, errors }: NewPasswordFieldsProps) {
  const { t } = useTranslation('common');
  const [typed, setTyped] = useState({ password: '', email: '' });
  const common = useCommon(typed);
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        required={required}
        error={errors.password}
        onChange={({ target }) => {
          const email = target.form && new FormData(target.form).get('email');
          setTyped({ password: target.value, email: typeof email === 'string' ? email : '' });
        }}
        hint={
          <>
            {t('account.passwordHint', { min: MIN_PASSWORD })}
            <span role="status" className="block text-warning">
              {common && t('account.passwordCommon')}
            </span>
          </>
        }
      />
      <PasswordField
        label={t('account.confirmation')}
        name="confirmation"
        autoComplete="new-password"
        required={required}
        error={errors.confirmation}
      />
    </>
  );
}

/** Whether this is a password that attackers would try first, as the server says a moment after the last key; false while unknown. */
function useCommon({ password, email }: { password: string; email: string }): boolean {
  const [common, setCommon] = useState(false);
  useEffect(() => {
    setCommon(false);
    if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) return;
    const over = new AbortController();
    const { signal } = over;
    const timer = setTimeout(() => {
      const body = { password, ...(email.length <= 254 ? { email } : {}) };
      callApi<{ common: boolean }>('/api/auth/check-password', { method: 'POST', body, signal }).then(
        (answer) => setCommon(answer.common),
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [password, email]);
  return common;
}
