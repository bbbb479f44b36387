import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { PasskeyAnswer } from '#contract/accounts/passkeys.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { passkeyProblem, passkeySupport } from './passkey.ts';

interface PasskeyButtonProps {
  label: string;
  /** Where the server says what to ask the passkey for. */
  optionsPath: string;
  /** Sends the answer; the line under the button shows what it throws. */
  onAnswer: (passkey: PasskeyAnswer) => Promise<void>;
}

/** Asks for a passkey; nothing where none can be used. */
export function PasskeyButton({ label, optionsPath, onAnswer }: PasskeyButtonProps) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const isResting = useIsResting(busy);
  if (!hydrated || passkeySupport() !== 'yes') return null;

  const ask = async () => {
    setProblem(null);
    setBusy(true);
    try {
      const { askPasskey } = await import('./ask-passkey.ts');
      await onAnswer(await askPasskey(optionsPath));
    } catch (error) {
      setProblem(passkeyProblem(error));
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Button
        variant="secondary"
        busy={busy}
        disabled={isResting}
        onClick={() => void ask()}
        className="w-full"
      >
        {busy ? null : <KeyRound aria-hidden size={18} strokeWidth={1.5} />}
        {label}
      </Button>
      <FieldError>{problem && t(problem)}</FieldError>
    </div>
  );
}
