import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HeldSubscription } from '#contract/billing.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { QuestionDialog } from '#web/ui/dialog.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { titleOf } from '../plan-status/plan-status-note.ts';
import { changeProblem, changeSubscription } from './change-subscription.ts';

interface CancelDialogProps {
  held: HeldSubscription;
  /** Another plan stays usable beside it. */
  hasOther: boolean;
  open: boolean;
  onClose: () => void;
  /** It is cancelled, and the dialog closed. */
  onDone: () => void;
}

/** The second of the two clicks: says what ends when, and what stays until then. */
export function CancelDialog({ held, hasOther, open, onClose, onDone }: CancelDialogProps) {
  const { t, i18n } = useTranslation('common');
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const plan = titleOf(held.planKey, i18n.language);

  const close = () => {
    setProblem(null);
    onClose();
  };
  const cancel = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await changeSubscription(client, 'cancel', held.orderId);
      showNotice(t('subscription.cancelled'));
      close();
      onDone();
    } catch (error) {
      setProblem(t('subscription.cancelFailed', { message: changeProblem(t, error) }));
    } finally {
      setBusy(false);
    }
  };
  const outlook =
    held.active && held.state !== 'past_due' && held.expiresAt !== null
      ? t(hasOther ? 'subscription.cancelTextOther' : 'subscription.cancelText', {
          plan,
          date: formatDay(i18n.language, held.expiresAt),
        })
      : t('subscription.cancelTextNow');
  return (
    <QuestionDialog
      open={open}
      onClose={close}
      title={t('subscription.cancelTitle', { plan })}
      text={outlook}
      warning={held.offersResume ? null : t('subscription.final', { plan })}
      problem={problem}
      keep={t('subscription.cancelKeep')}
      act={t(busy ? 'subscription.cancelBusy' : 'subscription.cancelConfirm')}
      busy={busy}
      onAct={() => void cancel()}
    />
  );
}
