import { useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { isLimited } from './sign-in.ts';
import { useCaptcha } from './use-captcha.tsx';

const loadLink = () => import('./request-sign-in-link.tsx');

/**
 * What a sign-in may be asked beside address and password. `asHuman`: as `useCaptcha` gives it; after an attempt that failed, `refused`
 * is told why, and offers the mailed link where that is the way on. `captcha` and `link` have their places in the form.
 */
export function useSignInChallenge() {
  const { asHuman, captcha } = useCaptcha();
  const [limited, setLimited] = useState<string | null>(null);
  const form = useModule(limited !== null, loadLink);
  const refused = (error: unknown, email: string) => setLimited(isLimited(error) ? email.trim() : null);
  const link = limited !== null && form ? <form.RequestSignInLink key={limited} email={limited} /> : null;
  return { asHuman, captcha, refused, link };
}
