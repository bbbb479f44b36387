import { useEffect, useEffectEvent, useState } from 'react';
import type { ComposerState } from './composer.tsx';

/**
 * Sends when it can be sent; what was asked for before everything was here (`isAwaited`) goes out as soon as it is, unless
 * `forget` is called, the conversation does not come, or an answer turns out to be running.
 */
export function useSubmit(state: ComposerState, send: () => void) {
  const [isAwaited, setAwaited] = useState(false);
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    if (!isAwaited || state === 'loading') return;
    setAwaited(false);
    if (state === 'ready') sendNow();
  }, [isAwaited, state]);
  return {
    isAwaited,
    submit: () => {
      if (state === 'ready') send();
      else setAwaited(state === 'loading');
    },
    forget: () => setAwaited(false),
  };
}
