import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { emailQuery, linkProblem } from '#web/features/accounts/email/email-query.ts';
import { addressOfRefusal, LinkOpener } from '#web/features/accounts/email/link-opener.tsx';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { followFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { ApiError, type ApiErrorCode, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { AuthLayout } from './auth-layout.tsx';

export default function VerifyEmailPage() {
  useEffect(followFirstQuestion, []);
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const [isStopped, setIsStopped] = useState(false);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return (
    <>
      <PlainPageHead page="verify-email" />
      <AuthLayout always title={t(isStopped ? 'verify.stoppedTitle' : 'verify.title')}>
        {hydrated ? <Verification token={token} onStopped={() => setIsStopped(true)} /> : null}
      </AuthLayout>
    </>
  );
}

/**
 * What has become of the link: the address is verified, or the opener of the account is signed out of it, or it has to be shown first
 * whose the account is.
 */
type Outcome = { state: 'done' | 'stopped' | 'asked'; email: string };

/** The link is used once the page is there; opened twice, the page says that it is done. */
function Verification({ token, onStopped }: { token: string; onStopped: () => void }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const [answered, setAnswered] = useState<Outcome | null>(null);
  const [over, setOver] = useState<ApiErrorCode | null>(null);
  const redeem = async (password?: string): Promise<Outcome> => {
    const body = { token, password };
    const { email } = await callApi<{ email: string }>('/api/auth/verify-email', { method: 'POST', body });
    void queryClient.invalidateQueries(emailQuery);
    return { state: 'done', email };
  };
  const disown = async () => {
    const body = { token };
    const { email } = await callApi<{ email: string }>('/api/auth/disown-account', { method: 'POST', body });
    setAnswered({ state: 'stopped', email });
    onStopped();
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['verify-email', token],
    queryFn: () => redeem().catch(askedBy),
    enabled: token !== '',
    // A link that asks is tried again when its user comes back, perhaps logged in; what stands in the form stays meanwhile.
    staleTime: ({ state }) => (state.data?.state === 'asked' ? 0 : Number.POSITIVE_INFINITY),
    retry: false,
  });
  const outcome = answered ?? data;
  if (outcome && outcome.state !== 'asked') return <LinkOutcome outcome={outcome} />;
  const code = over ?? (error instanceof ApiError ? error.code : null);
  if (code === 'email_already_verified') return <LinkOutcome outcome={null} />;
  if (token === '' || code === 'email_link_invalid') return <Invalid />;
  if (outcome)
    return (
      <LinkOpener
        about="account"
        email={outcome.email}
        onPassword={async (password) => setAnswered(await redeem(password))}
        onDisown={disown}
        onOver={(refusal) => setOver(refusal.code)}
      />
    );
  if (error) {
    return (
      <>
        <p role="alert">{t(linkProblem(error))}</p>
        <Button onClick={() => void refetch()}>{t('verify.retry')}</Button>
      </>
    );
  }
  return <p role="status">{t('verify.busy')}</p>;
}

/** The outcome of a link that needs its account. Throws any other refusal. */
function askedBy(error: unknown): Outcome {
  const email = addressOfRefusal(error);
  if (email === null) throw error;
  return { state: 'asked', email };
}

/** `outcome` null: the link had been used before. */
function LinkOutcome({ outcome }: { outcome: Outcome | null }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const stopped = outcome?.state === 'stopped';
  const text = stopped ? 'verify.stopped' : 'verify.done';
  return (
    <>
      <p role="status" className="break-words">
        {outcome === null ? t('verify.already') : t(text, { email: outcome.email })}
      </p>
      <Link
        to={stopped ? '/forgot-password' : pathTo('chat')}
        className={buttonStyle(stopped ? 'secondary' : 'primary')}
      >
        {t(stopped ? 'verify.toReset' : 'account.goToChat')}
      </Link>
    </>
  );
}

function Invalid() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const signedIn = session.state === 'signed-in';
  return (
    <>
      <p role="alert">{t('verify.invalid')}</p>
      <Link
        to={signedIn ? '/profile/details' : `${pathTo('login')}?next=/profile/details`}
        className={buttonStyle()}
      >
        {t(signedIn ? 'verify.toProfile' : 'nav.login')}
      </Link>
    </>
  );
}
