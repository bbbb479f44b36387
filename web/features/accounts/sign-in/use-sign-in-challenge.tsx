import { useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { isLimited } from './sign-in.ts';

const loadLink = () => import('./request-sign-in-link.tsx');

/**
 * What a sign-in may be asked beside address and password. `asHuman`: as `useCaptcha` gives it; after an attempt that failed, `refused`
 * is shown why, and offers the mailed link where that is the way on; `onSent`: it is on its way. `captcha` and `link` have their
 * places in the form; `isWaiting`: the link is the one thing to do.
 */
export function useSignInChallenge(onSent: () => void) {
  const { asHuman, captcha } = useCaptcha();
  const [limited, setLimited] = useState<string | null>(null);
  const form = useModule(limited !== null, loadLink);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const refused = (error: unknown, email: string) => setLimited(isLimited(error) ? email.trim() : null);
  const sent = () => {
    setSentTo(limited);
    onSent();
  };
  const link =
    limited !== null && form ? <form.RequestSignInLink key={limited} email={limited} onSent={sent} /> : null;
  return { asHuman, captcha, refused, link, isWaiting: limited !== null && limited !== sentTo };
}
