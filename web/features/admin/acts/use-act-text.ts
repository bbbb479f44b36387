import type { Act } from '#contract/admin/acts.ts';
import { orderNumber } from '#contract/order-number.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useFormat } from '../show/use-format.ts';

/** Says in a few words what an act does: `Give 500 Credits for 90 days`. */
export function useActText(): (act: Act) => string {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (act) => {
    if (act.act === 'grant') return t('admin.actText.grant', { credits: whole(act.credits), days: act.days });
    if (act.act === 'take') return t('admin.actText.take', { credits: whole(act.credits) });
    if (act.act === 'refund' || act.act === 'clear_dispute')
      return t(`admin.actText.${act.act}`, { id: act.paymentKey });
    if (act.act === 'adopt_order')
      return t('admin.actText.adopt_order', { number: orderNumber({ id: act.orderId }) });
    if (act.act === 'set_price' || act.act === 'withdraw_price')
      return t(`admin.actText.${act.act}`, {
        model: act.model,
        from: act.from,
        ...('cost' in act ? { cost: act.cost } : {}),
      });
    return t(`admin.act.${act.act}.title`);
  };
}
