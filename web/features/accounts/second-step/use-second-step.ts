import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { useModule } from '#web/lib/use-module.ts';

const loadForm = () => import('./second-step-form.tsx');

/**
 * The second step of a sign-in on the login page: `step` while it is asked for, with the `Form` that asks it. A sign-in that came
 * back from elsewhere (`?google=second_step`) is taken up. `isOver`: the last one has to be begun again.
 */
export function useSecondStep() {
  const [step, setStep] = useState<SecondStep | null>(null);
  const [isOver, setOver] = useState(false);
  const [search] = useSearchParams();
  const isBack = search.get('google') === 'second_step';
  const form = useModule(step !== null, loadForm);

  useEffect(() => {
    if (!isBack) return;
    const read = async () => (await import('./second-step.ts')).readSecondStep();
    read().then(
      (found) => {
        setStep(found);
        setOver(found === null);
      },
      () => setOver(true),
    );
  }, [isBack]);

  const begin = (asked: SecondStep) => {
    setOver(false);
    setStep(asked);
  };
  const leave = (over: boolean) => {
    setStep(null);
    setOver(over);
  };
  return { step, Form: form?.SecondStepForm ?? null, isOver, begin, leave };
}
