import { PaymentNote, ProviderChoice } from '#web/features/billing/checkout/provider-choice.tsx';
import type { Offer } from '#web/features/billing/checkout/use-offer.ts';
import { CycleChoice } from '#web/features/catalogue/cycle-choice.tsx';

/** By which cycle and provider to pay. */
export function PaymentSettings({ offer: { choice, providers } }: { offer: Offer }) {
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
    </div>
  );
}
