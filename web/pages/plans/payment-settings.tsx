import { useSession } from '#web/features/accounts/session/use-session.ts';
import { PaymentNote, ProviderChoice } from '#web/features/billing/checkout/provider-choice.tsx';
import type { Offer } from '#web/features/billing/checkout/use-offer.ts';
import { loadMemberButton } from '#web/features/billing/plans/buy-button.tsx';
import { CycleChoice } from '#web/features/catalogue/cycle-choice.tsx';
import { useModule } from '#web/lib/use-module.ts';

/** By which cycle and provider to pay. */
export function PaymentSettings({ offer: { billing, choice, providers } }: { offer: Offer }) {
  const session = useSession();
  const member = useModule(session.state === 'signed-in', loadMemberButton);
  const { cycle, provider, choose } = choice;
  return (
    <div className="mb-6 flex flex-col gap-3">
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        <CycleChoice cycle={cycle} onChange={(next) => choose({ cycle: next })} />
        <ProviderChoice
          providers={providers}
          provider={provider}
          onChange={(next) => choose({ provider: next })}
        />
      </div>
      <PaymentNote providers={providers} provider={provider} />
      {session.state === 'signed-in' && member ? <member.ConfirmingNote billing={billing} /> : null}
    </div>
  );
}
