import { Square } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/**
 * Stops the running answer; `onStop` gives back false when that did not work. It appears where the send button was, and the second
 * half of a double click on that one is not meant for it.
 */
export function StopButton({ onStop }: { onStop: () => Promise<boolean> }) {
  const { t } = useTranslation('common');
  const [stopping, setStopping] = useState(false);
  const stop = async (event: MouseEvent) => {
    if (event.detail > 1) return;
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
