import { useState } from 'react';
import type { HeldSubscription } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { useResume } from './change-subscription.ts';
import { heldName, outlookText } from './status-text.ts';

interface HeldSubscriptionRowProps {
  held: HeldSubscription;
  /** Another plan is usable too. */
  hasOther: boolean;
  /** It was paid, and is not credited. */
  isOwed: boolean;
}

/** One subscription: what it is, what happens next, and the way to change that. */
export function HeldSubscriptionRow({ held, hasOther, isOwed }: HeldSubscriptionRowProps) {
  const { t, i18n } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const resume = useResume(held.orderId);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4">
      <div>
        <p className="font-medium">{heldName(t, i18n.language, held)}</p>
        <p className="text-soft tabular-nums">{outlookText(t, i18n.language, held, isOwed)}</p>
      </div>
      {held.canResume ? (
        <Button variant="secondary" busy={resume.busy} onClick={() => void resume.run()}>
          {t('subscription.resume')}
        </Button>
      ) : null}
      {held.canCancel ? (
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {t('subscription.cancel')}
        </Button>
      ) : null}
      <CancelDialog held={held} hasOther={hasOther} open={asking} onClose={() => setAsking(false)} />
    </li>
  );
}
