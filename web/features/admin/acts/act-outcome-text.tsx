import { useEffect, useRef } from 'react';
import type { ActOutcome } from '#contract/admin/acts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

interface ActOutcomeTextProps {
  state: ActOutcome['state'] | 'refused';
  onClose: () => void;
}

/** What became of it; has the focus, since what had it is gone. */
export function ActOutcomeText({ state, onClose }: ActOutcomeTextProps) {
  const { t } = useTranslation('admin');
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} role="status" tabIndex={-1} className="outline-none">
        {t(`admin.acts.outcome.${state}`)}
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {t('dialog.close')}
        </Button>
      </DialogActions>
    </>
  );
}
