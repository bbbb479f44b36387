import { useCallback, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ResetForm } from '#web/features/accounts/reset/reset-form.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AuthLayout } from './auth-layout.tsx';

export default function ResetPasswordPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { hash } = useLocation();
  const [state, setState] = useState<'asking' | 'done' | 'voided' | 'invalid'>('asking');
  const onInvalid = useCallback(() => setState('invalid'), []);
  const hydrated = useHydrated();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const isInvalid = state === 'invalid' || (hydrated && token === '');
  return (
    <>
      <PlainPageHead page="reset-password" />
      <AuthLayout always title={t('reset.title')}>
        {state === 'done' || state === 'voided' ? (
          <>
            <p role="status">{t('reset.done')}</p>
            {state === 'voided' ? <p className="text-soft">{t('reset.voided')}</p> : null}
            <Link to={pathTo('login')} className={buttonStyle()}>
              {t('reset.login')}
            </Link>
          </>
        ) : isInvalid ? (
          <>
            <p role="alert">{t('errors.reset_link_invalid')}</p>
            <Link to="/forgot-password" className={buttonStyle()}>
              {t('reset.again')}
            </Link>
          </>
        ) : (
          <ResetForm
            token={token}
            onDone={({ voided }) => setState(voided ? 'voided' : 'done')}
            onInvalid={onInvalid}
          />
        )}
      </AuthLayout>
    </>
  );
}
