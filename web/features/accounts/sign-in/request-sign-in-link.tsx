import { useState } from 'react';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { reachProblem } from './sign-in.ts';

/**
 * Has the link mailed by which this browser may go on signing in. `email`: as it was typed; null: that of the account whose second
 * step waits. Says the same whether or not an account has the address.
 */
export function RequestSignInLink({ email, onSent }: { email: string | null; onSent?: () => void }) {
  const { t } = useTranslation('common');
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [problem, setProblem] = useState<TextKey | null>(null);
  const { asHuman, captcha } = useCaptcha();
  const isResting = useIsResting(state === 'busy');

  const send = async () => {
    setState('busy');
    setProblem(null);
    const body = email === null ? {} : { email };
    try {
      await asHuman((proof) =>
        callApi('/api/auth/request-sign-in-link', { method: 'POST', body, captcha: proof }),
      );
      setState('sent');
      onSent?.();
    } catch (error) {
      setProblem(reachProblem(error) ?? 'signInLink.sendFailed');
      setState('idle');
    }
  };

  if (state === 'sent') {
    return (
      <p role="status" className="break-words">
        {email === null ? t('signInLink.sentForStep') : t('signInLink.sent', { email })}
      </p>
    );
  }
  return (
    <>
      {captcha}
      <FieldError>{problem && t(problem)}</FieldError>
      <Button busy={state === 'busy'} disabled={isResting} onClick={send} className="w-full">
        {t('signInLink.send')}
      </Button>
    </>
  );
}
