import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { emailQuery } from '#web/features/accounts/email-query.ts';
import { useSession } from '#web/features/accounts/use-session.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { Entrance } from './layout/entrance.tsx';

export default function VerifyEmailPage() {
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return (
    <>
      <PlainPageHead page="verify-email" />
      <Entrance always title={t('verify.title')}>
        {hydrated ? <Verification token={token} /> : null}
      </Entrance>
    </>
  );
}

/** The link is used once the page is there; whoever opens it twice hears that it is done. */
function Verification({ token }: { token: string }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const queryClient = useQueryClient();
  const session = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      const { email } = await callApi<{ email: string }>('/api/auth/verify-email', {
        method: 'POST',
        body: { token },
      });
      void queryClient.invalidateQueries(emailQuery);
      return email;
    },
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const code = error instanceof ApiError ? error.code : null;
  if (data !== undefined || code === 'email_already_verified') {
    return (
      <>
        <p role="status" className="break-words">
          {data === undefined ? t('verify.already') : t('verify.done', { email: data })}
        </p>
        <Link to={pathTo('chat')} className={buttonStyle()}>
          {t('account.goToChat')}
        </Link>
      </>
    );
  }
  if (token === '' || code === 'email_link_invalid') {
    return (
      <>
        <p role="alert">{t('verify.invalid')}</p>
        <Link
          to={session.state === 'signed-in' ? '/profile' : `${pathTo('login')}?next=/profile`}
          className={buttonStyle()}
        >
          {t(session.state === 'signed-in' ? 'verify.toProfile' : 'nav.login')}
        </Link>
      </>
    );
  }
  if (error) {
    return (
      <>
        <p role="alert">{t('verify.failed')}</p>
        <Button onClick={() => void refetch()}>{t('verify.retry')}</Button>
      </>
    );
  }
  return <p role="status">{t('verify.busy')}</p>;
}
