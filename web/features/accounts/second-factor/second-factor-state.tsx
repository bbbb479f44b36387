import type { SecondFactor } from '#contract/accounts/second-factor.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** So few that new ones should be made. */
const FEW = 3;

interface SecondFactorStateProps {
  factor: SecondFactor;
  busy: boolean;
  onEnrol: () => void;
  onRenew: () => void;
  onTurnOff: () => void;
}

/** Whether the second factor is on, and what can be done about it. */
export function SecondFactorState({ factor, busy, onEnrol, onRenew, onTurnOff }: SecondFactorStateProps) {
  const { t, i18n } = useTranslation('common');
  if (factor.since === null)
    return (
      <>
        <p className="text-soft">{t('twoFactor.lead')}</p>
        <Button variant="secondary" busy={busy} onClick={onEnrol} className="self-start">
          {t('twoFactor.turnOn')}
        </Button>
      </>
    );
  const left = factor.recoveryCodesLeft;
  return (
    <>
      <div>
        <p>{t('twoFactor.since', { date: formatDay(i18n.language, factor.since) })}</p>
        <p className="mt-1 text-soft">{t(left <= FEW ? 'twoFactor.leftFew' : 'twoFactor.left', { left })}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" disabled={busy} onClick={onRenew}>
          {t('twoFactor.renew')}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onEnrol}>
          {t('twoFactor.move')}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onTurnOff}>
          {t('twoFactor.turnOff')}
        </Button>
      </div>
    </>
  );
}
