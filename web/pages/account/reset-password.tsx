import { useCallback, useEffect, useState } from 'react';
import { Link, type Location, useLocation } from 'react-router';
import { ResetForm } from '#web/features/accounts/reset/reset-form.tsx';
import type { ResetState } from '#web/features/accounts/reset/reset-password.ts';
import { followFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AuthLayout } from './auth-layout.tsx';

/** A link opened over another one's page begins anew. */
export default function ResetPasswordPage() {
  useEffect(followFirstQuestion, []);
  const { hash } = useLocation();
  return <ResetByLink key={hash} token={new URLSearchParams(hash.slice(1)).get('token') ?? ''} />;
}

function ResetByLink({ token }: { token: string }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state: way } = useLocation() as Location<ResetState | null>;
  const [state, setState] = useState<'asking' | 'done' | 'voided' | 'invalid'>('asking');
  const onInvalid = useCallback(() => setState('invalid'), []);
  const hydrated = useHydrated();
  const isInvalid = state === 'invalid' || (hydrated && token === '');
  const isDone = state === 'done' || state === 'voided';
  const takenBack = hydrated && way?.takenBack === true;
  const asking = isInvalid ? 'reset.invalidTitle' : takenBack ? 'reset.takenTitle' : 'reset.title';
  return (
    <>
      <PlainPageHead page="reset-password" />
      <AuthLayout always title={t(isDone ? 'reset.doneTitle' : asking)}>
        {isDone ? (
          <>
            <p role="status">{t('reset.done')}</p>
            {state === 'voided' ? <p className="text-soft">{t('reset.voided')}</p> : null}
            <Link to={pathTo('login')} className={buttonStyle()}>
              {t('reset.login')}
            </Link>
          </>
        ) : isInvalid ? (
          <>
            <p role="alert" className="text-soft">
              {t('reset.invalid')}
            </p>
            <Link to="/forgot-password" className={buttonStyle()}>
              {t('reset.again')}
            </Link>
            <Link to={pathTo('login')} className="text-sm underline underline-offset-4">
              {t('forgot.back')}
            </Link>
          </>
        ) : (
          <ResetForm
            token={token}
            lead={t(takenBack ? 'reset.takenLead' : 'reset.lead')}
            onDone={({ voided }) => setState(voided ? 'voided' : 'done')}
            onInvalid={onInvalid}
          />
        )}
      </AuthLayout>
    </>
  );
}
