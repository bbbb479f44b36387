import { useState } from 'react';
import type { BillingStatus, HeldSubscription } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { isOwed } from '../plan-status/plan-status.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { useResume } from './change-subscription.ts';
import { heldName, outlookText } from './status-text.ts';
import { useFocusAfter } from './use-focus-after.ts';

interface HeldSubscriptionRowProps {
  held: HeldSubscription;
  /** Another plan is usable too. */
  hasOther: boolean;
  /** It was paid, and is not credited. */
  owed: boolean;
}

/** One subscription: what it is, what happens next, and the way to change that. */
function HeldSubscriptionRow({ held, hasOther, owed }: HeldSubscriptionRowProps) {
  const { t, i18n } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const after = useFocusAfter<HTMLLIElement>(!held.canCancel);
  const resume = useResume(held.orderId, () => after.ref.current?.focus());
  return (
    <li
      ref={after.ref}
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 outline-none"
    >
      <div>
        <p className="font-medium">{heldName(t, i18n.language, held)}</p>
        <p className="text-soft tabular-nums">{outlookText(t, i18n.language, held, owed)}</p>
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
      <CancelDialog
        held={held}
        hasOther={hasOther}
        open={asking}
        onClose={() => setAsking(false)}
        onDone={after.done}
      />
    </li>
  );
}

/** Each subscription of the reader with what can be done about it. */
export function HeldList({ status }: { status: BillingStatus }) {
  const { t } = useTranslation('common');
  const { subscriptions } = status;
  const count = subscriptions.filter(({ renews }) => renews).length;
  return (
    <section aria-labelledby="held">
      <h3 id="held" className="mb-3 font-semibold text-lg">
        {t('subscription.heldTitle')}
      </h3>
      {count > 1 ? (
        <p className="mb-4 max-w-prose border-warning border-l-2 pl-4">
          {t('subscription.several', { count })}
        </p>
      ) : null}
      <ul>
        {subscriptions.map((held) => (
          <HeldSubscriptionRow
            key={`${held.orderId}:${held.subscriptionId}`}
            held={held}
            owed={isOwed(status, held)}
            hasOther={subscriptions.some((each) => each !== held && each.active)}
          />
        ))}
      </ul>
    </section>
  );
}
