import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { SecondStep } from '#contract/accounts/second-factor.ts';
import { useModule } from '#web/lib/use-module.ts';

const loadForm = () => import('./second-step-form.tsx');

/**
 * The second step of a sign-in on the login page: `step` while it is asked for, with the `Form` that asks it. A sign-in that came
 * back from elsewhere (`?google=second_step`) is taken up, each time it does. `isOver`: the last one has to be begun again.
 */
export function useSecondStep() {
  const [step, setStep] = useState<SecondStep | null>(null);
  const [isOver, setOver] = useState(false);
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
        setOver(found === null);
      },
      () => setOver(true),
    );
  }, [arrival]);

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
