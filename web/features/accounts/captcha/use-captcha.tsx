import { type ReactNode, useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { preloadModule, useModule } from '#web/lib/use-module.ts';
import type { CaptchaProps } from './captcha.tsx';

const loadQuestion = () => import('./captcha.tsx');

/**
 * Where a server may ask whether a person is there. `asHuman` acts, and when it is asked shows the question (`captcha`, to be placed in
 * the form), waits for the answer and acts again with the proof; nothing of it is loaded before.
 */
export function useCaptcha() {
  const [asked, setAsked] = useState<CaptchaProps | null>(null);
  const question = useModule(asked !== null, loadQuestion);

  async function asHuman<T>(act: (proof?: string) => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'captcha_required') throw error;
      const { params } = error;
      if (!(await preloadModule(loadQuestion))) throw new ApiError('captcha_unavailable');
      const proof = await new Promise<string>((onProof, reject) => {
        setAsked({ params, onProof, onFault: () => reject(new ApiError('captcha_unavailable')) });
      }).finally(() => setAsked(null));
      return act(proof);
    }
  }

  const captcha: ReactNode = asked && question && <question.Captcha {...asked} />;
  return { asHuman, captcha };
}
