import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';

interface TurnOffSecondFactorProps {
  busy: boolean;
  problem: TextKey | null;
  onKeep: () => void;
  onTurnOff: () => void;
}

/** Says what turning the second factor off means, and asks whether it is meant. */
export function TurnOffSecondFactor({ busy, problem, onKeep, onTurnOff }: TurnOffSecondFactorProps) {
  const { t } = useTranslation('common');
  return (
    <>
      <p className="mb-5">{t('twoFactor.offText')}</p>
      <FieldError>{problem && t(problem)}</FieldError>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onKeep}>
          {t('twoFactor.keep')}
        </Button>
        <Button variant="danger" busy={busy} onClick={onTurnOff}>
          {t('twoFactor.turnOff')}
        </Button>
      </div>
    </>
  );
}
