import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useCheckout } from '../checkout/use-checkout.ts';
import type { Offer } from '../checkout/use-offer.ts';
import { useReturnedOrder } from '../orders/use-awaited-order.ts';
import { isAnyConfirming, type PlanStatus, planStatusOf } from '../plan-status/plan-status.ts';
import { actText, planStatusNote } from '../plan-status/plan-status-note.ts';
import { useFocusAfter } from '../subscription/use-focus-after.ts';
import type { BuyButtonProps } from './buy-button.tsx';
import { DowngradeDialog } from './downgrade-dialog.tsx';

const CLOSED: readonly PlanStatus['kind'][] = ['current', 'confirming', 'noted', 'blocked', 'unavailable'];

/** Ways to less than what the reader has: none of them is the one thing to do here. */
const LESS: readonly PlanStatus['kind'][] = ['later', 'downgrade'];

/** The way to a plan for who is signed in, with what it would mean for what they have said beneath it. */
export function MemberBuyButton({ plan, offer, ...props }: BuyButtonProps) {
  const { t, i18n } = useTranslation('common');
  const { billing, choice } = offer;
  const { creating, buy } = useCheckout(plan, choice);
  const noteId = useId();
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const status = billing.state === 'known' ? billing.status : null;
  const planStatus = planStatusOf(plan, choice.cycle, status);
  const after = useFocusAfter<HTMLParagraphElement>(planStatus.kind !== 'later');
  const returned = useReturnedOrder();
  const mustWait = returned.isConfirming || isAnyConfirming(status);
  const canBuy = billing.state !== 'loading' && !mustWait && !CLOSED.includes(planStatus.kind);
  const isWanted = choice.wanted === plan && canBuy;
  useEffect(() => {
    if (isWanted) button.current?.focus();
  }, [isWanted]);

  const terms = { plan, cycle: choice.cycle };
  const text = actText(t, i18n.language, terms, planStatus);
  const statusNote = planStatusNote(t, i18n.language, terms, planStatus);
  // The plan that the account status shows is marked at the top of its card.
  const isUnmarked = props.fixed && planStatus.kind === 'current' && status?.planKey !== plan;
  const note = mustWait ? null : (statusNote ?? (isUnmarked ? text : null));
  const isAccent = props.primary && !returned.isShown && !LESS.includes(planStatus.kind);
  const canResume = planStatus.kind === 'ending' && planStatus.held.canResume;
  return (
    <>
      {canResume ? <ResumeLink /> : null}
      {canResume && !props.fixed ? null : (
        <Button
          ref={button}
          variant={isAccent && canBuy && !canResume ? 'primary' : 'secondary'}
          busy={creating}
          disabled={!canBuy || canResume}
          aria-describedby={mustWait ? CONFIRMING_NOTE : note ? noteId : undefined}
          aria-haspopup={planStatus.kind === 'later' ? 'dialog' : undefined}
          onClick={() => (planStatus.kind === 'later' ? setAsking(true) : void buy())}
          className="w-full"
        >
          {creating ? props.busyLabel : props.fixed ? props.label : text}
        </Button>
      )}
      {note ? (
        <p ref={after.ref} id={noteId} tabIndex={-1} className="mt-3 text-soft text-sm outline-none">
          {note}
        </p>
      ) : null}
      {planStatus.kind === 'later' ? (
        <DowngradeDialog
          to={{ planKey: plan, cycle: choice.cycle }}
          from={planStatus.from}
          opens={planStatus.opens}
          until={planStatus.until}
          isFinal={status?.subscriptions[0]?.offersResume === false}
          open={asking}
          onClose={() => setAsking(false)}
          onDone={after.done}
          onBuyNow={() => void buy({ chargeNow: true })}
        />
      ) : null}
    </>
  );
}

const CONFIRMING_NOTE = 'confirming-note';

/** Above the plans: that none is to be bought while the last payment is confirmed. */
export function ConfirmingNote({ billing }: Pick<Offer, 'billing'>) {
  const { t } = useTranslation('common');
  const { isConfirming } = useReturnedOrder();
  if (!isConfirming && !isAnyConfirming(billing.state === 'known' ? billing.status : null)) return null;
  return <p id={CONFIRMING_NOTE}>{t('pricing.waitConfirming')}</p>;
}

function ResumeLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link
      to={`${pathTo('subscription')}#status`}
      className={classNames(buttonStyle('secondary'), 'mb-2 w-full')}
    >
      {t('pricing.resume')}
    </Link>
  );
}
