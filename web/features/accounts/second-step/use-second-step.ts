import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { ApiError } from '#web/lib/api.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { useModule } from '#web/lib/use-module.ts';
import { signInProblem } from '../sign-in/sign-in.ts';

const loadForm = () => import('./second-step-form.tsx');
const OVER: TextKey = 'errors.second_step_over';

/**
 * The second step of a sign-in on the login page: `step` while it is asked for, with the `Form` that asks it. A sign-in that came
 * back from elsewhere (`?google=second_step`) is taken up, each time it does. `problem`: the last one has to be begun again, or
 * whether one waits could not be asked.
 */
export function useSecondStep() {
  const [step, setStep] = useState<SecondStep | null>(null);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [search] = useSearchParams();
  const { key } = useLocation();
  const arrival = search.get('google') === 'second_step' ? key : null;
  const form = useModule(step !== null, loadForm);

  useEffect(() => {
    if (arrival === null) return;
    const read = async () => (await import('./second-step.ts')).readSecondStep();
    read().then(
      (found) => {
        setStep(found);
        setProblem(found === null ? OVER : null);
      },
      (error: unknown) =>
        setProblem(error instanceof ApiError ? signInProblem(error) : 'account.unreachable'),
    );
  }, [arrival]);

  const begin = (asked: SecondStep) => {
    setProblem(null);
    setStep(asked);
  };
  const leave = (over: boolean) => {
    setStep(null);
    setProblem(over ? OVER : null);
  };
  return { step, Form: form?.SecondStepForm ?? null, problem, begin, leave };
}
