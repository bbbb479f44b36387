import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { creditsOf, planName, priceText } from '../plan-status/plan-status-note.ts';
import { changeProblem, requestDowngrade } from '../subscription/change-subscription.ts';

interface DowngradeDialogProps {
  to: { planKey: PlanKey; cycle: Cycle };
  from: { planKey: PlanKey; cycle: Cycle };
  /** When the lower plan can be paid for, and when what the reader has ends. */
  opens: number;
  until: number;
  /** What the reader has cannot renew again once its end is noted. */
  isFinal: boolean;
  /** The reader's subscription is noted as ending for it already. */
  open: boolean;
  onClose: () => void;
  /** It is noted, and the dialog closed. */
  onDone: () => void;
  /** Pays for the lower plan today. */
  onBuyNow: () => void;
}

/** Says what a lower plan means: nothing is charged today, and it follows what runs. A user who wants it sooner reads what that costs. */
export function DowngradeDialog({
  to,
  from,
  opens,
  until,
  isFinal,
  open,
  onClose,
  onDone,
  onBuyNow,
}: DowngradeDialogProps) {
  const { t, i18n } = useTranslation('common');
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { language } = i18n;
  const words = {
    plan: planName(t, language, from),
    next: planName(t, language, to),
    date: formatDay(language, until),
    opens: formatDay(language, opens),
    amount: priceText(language, to),
    credits: creditsOf({ plan: to.planKey, cycle: to.cycle }),
  };
  const close = () => {
    setProblem(null);
    onClose();
  };
  const note = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await requestDowngrade(client, to);
      showNotice(t('pricing.laterDone', words));
      close();
      onDone();
    } catch (error) {
      setProblem(t('pricing.laterFailed', { message: changeProblem(t, error) }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} stays={busy} onClose={close} title={t('pricing.laterTitle', words)} alert>
      <p className="mb-4">{t('pricing.laterText', words)}</p>
      {isFinal ? <p className="mb-4">{t('subscription.final', words)}</p> : null}
      <p className="mb-3 text-soft">{t('pricing.soonerText', words)}</p>
      <FieldError>{problem}</FieldError>
      <DialogActions stacked>
        <Button data-focus-first variant="secondary" disabled={busy} onClick={close}>
          {t('pricing.laterClose')}
        </Button>
        <Button
          variant="secondary"
          disabled={busy}
          onClick={() => {
            close();
            onBuyNow();
          }}
        >
          {t('pricing.soonerConfirm', words)}
        </Button>
        <Button busy={busy} onClick={() => void note()}>
          {t('pricing.laterConfirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
