import { useEffect, useRef, useState } from 'react';
import type { GoogleOutcome, GooglePurpose } from '#contract/accounts/google.ts';
import type { TextKey } from '#web/lib/translate.ts';
import type { GoogleTrip } from './start-google.ts';

const load = () => import('./start-google.ts');

const FAILED: Record<GooglePurpose, TextKey> = {
  'sign-in': 'google.signInFailed',
  'sign-up': 'google.signUpFailed',
  link: 'google.linkFailed',
  confirm: 'google.confirmFailed',
};

/** What to say of an outcome; null: nothing is wrong. */
export function googleProblem(outcome: string | null, purpose: GooglePurpose): TextKey | null {
  if (outcome === 'failed') return FAILED[purpose];
  if (outcome === 'unverified') return 'google.unverified';
  if (outcome === 'address_in_use') return 'google.addressInUse';
  if (outcome === 'account_leaving') return 'errors.account_leaving';
  if (outcome === 'other_account') return purpose === 'confirm' ? 'google.notYours' : 'google.otherAccount';
  return null;
}

/** A way to Google from a button: `start` goes, and `onOutcome` receives a good end, or the second step that is left. */
export function useGoogle(purpose: GooglePurpose, onOutcome: (outcome: GoogleOutcome) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const trip = useRef<AbortController | null>(null);
  useEffect(() => () => trip.current?.abort(), []);

  const start = async (where: Pick<GoogleTrip, 'returnTo' | 'rememberMe'>) => {
    trip.current?.abort();
    const controller = new AbortController();
    trip.current = controller;
    setProblem(null);
    setBusy(true);
    const { signal } = controller;
    const module = await load().catch(() => null);
    if (!module) {
      setProblem('account.unreachable');
      return setBusy(false);
    }
    const outcome = await module.startGoogle({ ...where, purpose, signal, onClosed: () => setBusy(false) });
    setProblem(googleProblem(outcome, purpose));
    if (outcome === 'done' || outcome === 'second_step') await onOutcome(outcome);
    setBusy(false);
  };
  /** To be called as soon as the pointer is near the button: a popup must follow a click at once. */
  const prepare = () => void load().catch(() => null);
  return { start, prepare, busy, problem, setProblem };
}
