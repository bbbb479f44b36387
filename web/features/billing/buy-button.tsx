import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { PlanStanding } from './plan-standing.ts';
import { actText, standingNote } from './standing-note.ts';
import type { CheckoutAct } from './use-checkout.ts';

const CLOSED: readonly PlanStanding['kind'][] = ['current', 'confirming', 'blocked', 'unavailable'];

interface BuyButtonProps {
  plan: PlanKey;
  cycle: Cycle;
  /** Null: not known yet. */
  standing: PlanStanding | null;
  /** What the button says of any plan that can be bought; without it, what buying this one means. */
  label?: string;
  /** While its checkout is created. */
  busyLabel: string;
  primary: boolean;
  /** Somebody wanted this very plan before signing in: the keyboard is here. */
  wanted: boolean;
  checkout: CheckoutAct;
}

/** The way to a plan, with what it would mean for the reader said above it. */
export function BuyButton({ plan, cycle, standing, checkout, ...props }: BuyButtonProps) {
  const { t, i18n } = useTranslation('common');
  const hydrated = useHydrated();
  const noteId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const canBuy = standing !== null && !CLOSED.includes(standing.kind);
  const isWanted = props.wanted && canBuy;
  useEffect(() => {
    if (isWanted) button.current?.focus();
  }, [isWanted]);

  const note = standing && standingNote(t, i18n.language, { plan, cycle }, standing);
  const busy = checkout.creating === plan;
  const label = (canBuy && props.label) || actText(t, i18n.language, { plan, cycle }, standing);
  const variant = props.primary && canBuy ? 'primary' : 'secondary';
  return (
    <>
      {note ? (
        <p id={noteId} className="mb-3 text-soft text-sm">
          {note}
        </p>
      ) : null}
      {standing?.kind === 'ending' && standing.held.canResume ? (
        <ResumeLink />
      ) : (
        <Button
          ref={button}
          variant={variant}
          busy={busy}
          disabled={!hydrated || !canBuy || checkout.creating !== null}
          aria-describedby={note ? noteId : undefined}
          onClick={() => void checkout.buy(plan)}
          className="w-full"
        >
          {busy ? props.busyLabel : label}
        </Button>
      )}
    </>
  );
}

function ResumeLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link to={`${pathTo('subscription')}#status`} className={classNames(buttonStyle('secondary'), 'w-full')}>
      {t('pricing.resume')}
    </Link>
  );
}
