import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { returnPath } from '#contract/return-path.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { TermsText } from '../form/terms-text.tsx';
import { GoogleLogo } from './google-logo.tsx';
import { wantsRememberMe } from './remember-me.ts';
import { signInOptionsQuery } from './sign-in-options.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { googleProblem, useGoogle } from './use-google.ts';

/** The way in by Google, under the others; nothing to be seen where this installation has none. Its place is kept, so that nothing moves. */
export function GoogleSignIn({ purpose }: { purpose: 'sign-in' | 'sign-up' }) {
  const { t } = useTranslation('common');
  const { data } = useQuery(signInOptionsQuery);
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const goOn = useAfterSignIn();
  const [search] = useSearchParams();
  const target = returnPath(search.get('next'), pathTo('chat'));
  const outcome = search.get('google');
  const { start, prepare, busy, problem, setProblem } = useGoogle(purpose, async (outcome) => {
    if (outcome === 'done') return goOn();
    const query = new URLSearchParams({ next: target, google: 'second_step' });
    await navigate(`${pathTo('login')}?${query}`, { replace: true });
  });
  const isResting = useIsResting(busy);
  useEffect(() => setProblem(googleProblem(outcome, purpose)), [outcome, purpose, setProblem]);

  return (
    <div className={data?.google ? 'flex flex-col gap-4' : 'invisible flex flex-col gap-4'}>
      {purpose === 'sign-up' ? <OrDivider /> : null}
      <FieldError>{problem && t(problem)}</FieldError>
      <Button
        variant="secondary"
        busy={busy}
        disabled={!data?.google || isResting}
        className="w-full"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => void start({ returnTo: target, rememberMe: wantsRememberMe() })}
      >
        {busy ? null : <GoogleLogo />}
        {t(busy ? 'google.busy' : 'google.goOn')}
      </Button>
      <p className="text-soft text-sm">
        {purpose === 'sign-up' ? t('google.termsSame') : <TermsText text={t('google.terms')} />}
      </p>
    </div>
  );
}

/** Stands between a form and the other ways in. */
export function OrDivider() {
  const { t } = useTranslation('common');
  return (
    <p className="flex items-center gap-4 text-soft text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('google.or')}
    </p>
  );
}
