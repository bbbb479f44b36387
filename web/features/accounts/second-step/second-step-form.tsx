import { useState } from 'react';
import type { SecondFactorProof } from '#contract/accounts/confirmation.ts';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { PasskeyButton } from '../sign-in/passkey-button.tsx';
import { RequestSignInLink } from '../sign-in/request-sign-in-link.tsx';
import { isLimited } from '../sign-in/sign-in.ts';
import { useAfterSignIn } from '../sign-in/use-after-sign-in.ts';
import { CodeForm } from './code-form.tsx';
import { finishSecondStep } from './second-step.ts';

interface SecondStepFormProps {
  step: SecondStep;
  /** Back to the first step; `over`: it has to be taken again. */
  onBack: (over: boolean) => void;
}

/** The second step of a sign-in: a code, a recovery code or a passkey. */
export function SecondStepForm({ step, onBack }: SecondStepFormProps) {
  const { t } = useTranslation('common');
  const goOn = useAfterSignIn();
  const [limited, setLimited] = useState(false);
  const isResting = useIsResting(false);

  const finish = async (proof: SecondFactorProof) => {
    try {
      await finishSecondStep(proof);
    } catch (error) {
      setLimited(isLimited(error));
      if (!(error instanceof ApiError) || error.code !== 'second_step_over') throw error;
      return onBack(true);
    }
    await goOn();
  };

  return (
    <>
      <CodeForm onCode={(code) => finish({ code })} submit={t('secondStep.submit')}>
        {step.methods.includes('passkey') ? (
          <PasskeyButton
            label={t('secondStep.passkey')}
            optionsPath="/api/auth/second-factor/passkey"
            onAnswer={(passkey) => finish({ passkey })}
          />
        ) : null}
      </CodeForm>
      {limited ? <RequestSignInLink email={null} /> : null}
      <Button variant="quiet" disabled={isResting} className="-ml-4 self-start" onClick={() => onBack(false)}>
        {t('secondStep.back')}
      </Button>
    </>
  );
}
