import { Square } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** Send and Stop stand in one place: within this time a click is the second half of one on the other button. */
export const DOUBLE_CLICK_MS = 500;

/** Stops the running answer; `onStop` gives back false when that did not work. */
export function StopButton({ onStop }: { onStop: () => Promise<boolean> }) {
  const { t } = useTranslation('common');
  const [shownAt] = useState(() => performance.now());
  const [stopping, setStopping] = useState(false);
  const stop = async (event: MouseEvent) => {
    const isPointer = event.detail > 0;
    if (isPointer && performance.now() - shownAt < DOUBLE_CLICK_MS) return;
    setStopping(true);
    if (!(await onStop())) setStopping(false);
  };
  return (
    <Button variant="secondary" size="small" onClick={stop} busy={stopping}>
      {stopping ? t('chat.stopping') : t('chat.stop')}
      {stopping ? null : <Square aria-hidden size={12} fill="currentColor" strokeWidth={1.5} />}
    </Button>
  );
}
