import type { PlanKey } from '#contract/billing.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useModule } from '#web/lib/use-module.ts';
import { Button } from '#web/ui/button.tsx';
import { useAskToSignIn } from '../checkout/use-ask-to-sign-in.ts';
import type { Offer } from '../checkout/use-offer.ts';

export interface BuyButtonProps {
  plan: PlanKey;
  offer: Offer;
  /** What the button says to a visitor. */
  label: string;
  /** Says the same to everybody, whatever buying this plan means for what they have; that stands beneath it. */
  fixed?: boolean;
  /** While the checkout is created. */
  busyLabel: string;
  primary?: boolean;
}

/** What only who is signed in needs to buy a plan. */
export const loadMemberButton = () => import('./member-buy-button.tsx');

/** The way to a plan. What only who is signed in needs is loaded when that is known. */
export function BuyButton(props: BuyButtonProps) {
  const session = useSession();
  const signedIn = session.state === 'signed-in';
  const member = useModule(signedIn, loadMemberButton);
  const hydrated = useHydrated();
  const askToSignIn = useAskToSignIn(props.offer.choice);
  if (signedIn && member) return <member.MemberBuyButton {...props} />;
  return (
    <Button
      variant={props.primary ? 'primary' : 'secondary'}
      disabled={!hydrated || signedIn || session.state === 'loading'}
      onClick={() => void askToSignIn(props.plan)}
      className="w-full"
    >
      {props.label}
    </Button>
  );
}
