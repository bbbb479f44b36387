import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import type { OpenedSignInLink } from '#contract/email.ts';
import { linkProblem } from '#web/features/accounts/email/email-query.ts';
import { followFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AuthLayout } from './auth-layout.tsx';

export default function SignInLinkPage() {
  useEffect(followFirstQuestion, []);
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return (
    <>
      <PlainPageHead page="sign-in-link" />
      <AuthLayout always title={t('signInLink.title')}>
        {hydrated ? <OpenedLink token={token} /> : null}
      </AuthLayout>
    </>
  );
}

/** The link is used once the page is there. */
function OpenedLink({ token }: { token: string }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: () => {
      const body = { token };
      return callApi<OpenedSignInLink>('/api/auth/open-sign-in-link', { method: 'POST', body });
    },
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const toLogin = (
    <Link to={pathTo('login')} className={buttonStyle()}>
      {t('signInLink.login')}
    </Link>
  );
  if (data) {
    return (
      <>
        <p role="status" className="break-words">
          {t('signInLink.done', { email: data.email })}
        </p>
        {toLogin}
      </>
    );
  }
  if (token === '' || (error instanceof ApiError && error.code === 'sign_in_link_invalid')) {
    return (
      <>
        <p role="alert">{t('signInLink.invalid')}</p>
        {toLogin}
      </>
    );
  }
  if (error) {
    return (
      <>
        <p role="alert">{t(linkProblem(error))}</p>
        <Button onClick={() => void refetch()}>{t('signInLink.retry')}</Button>
      </>
    );
  }
  return <p role="status">{t('signInLink.busy')}</p>;
}
