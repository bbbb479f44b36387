import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** More is read when the end of what is loaded comes this close. */
const AHEAD = '1200px 0px';
/** What was read is drawn before it is looked at whether still more is wanted. */
const SETTLE_MS = 100;

interface LoadMoreProps {
  label: string;
  failedText: string;
  load: () => Promise<unknown>;
}

/** Reads more by itself before the reader comes to where it would stand; the button is for when that fails. */
export function LoadMore({ label, failedText, load }: LoadMoreProps) {
  const { t } = useTranslation('common');
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const start = async () => {
    setState('loading');
    try {
      await load();
      setTimeout(() => setState('idle'), SETTLE_MS);
    } catch {
      setState('failed');
    }
  };
  const onNear = useEffectEvent(() => void start());
  useEffect(() => {
    if (!place.current || state !== 'idle') return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.at(-1)?.isIntersecting) return;
        observer.disconnect();
        onNear();
      },
      { root: place.current.closest('[data-scroller]'), rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [state]);
  return (
    <div ref={place} className="flex flex-col items-center gap-2 print:hidden">
      {state === 'failed' ? (
        <p role="alert" className="text-soft text-sm">
          {failedText}
        </p>
      ) : null}
      <Button variant="quiet" size="small" busy={state === 'loading'} onClick={() => void start()}>
        {state === 'failed' ? t('chat.reload') : label}
      </Button>
    </div>
  );
}
