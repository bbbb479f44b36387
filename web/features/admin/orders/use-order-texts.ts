import type { Difference, FactLine } from '#contract/admin/order-facts.ts';
import { orderNumber } from '#contract/order-rules.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';

/** Says what a provider reported of an order, and what would change by it, in the operator's language. */
export function useOrderTexts() {
  const { t } = useTranslation('admin');
  const { money, moment, whole } = useFormat();
  const word = useWords();

  const amount = (minor: number | null, currency: string | null) =>
    minor === null
      ? t('admin.order.unknownAmount')
      : currency === null
        ? String(minor / 100)
        : money({ currency, minor });

  /** The parts that distinguish a fact, each by itself. `currency`: of the order, which a refund does not repeat. */
  const factParts = (fact: FactLine, currency: string | null): string[] => {
    const { status, paid, refunded, email, isInferred, orderId, subscriptionId, at, problem } = fact;
    if (problem)
      return [t('admin.order.problem', { type: problem.type, problem: word('factProblem', problem.code) })];
    const parts = [
      status && word('factStatus', status),
      paid && amount(paid.minor, paid.currency),
      refunded &&
        t('admin.order.refundedOf', {
          refunded: amount(refunded.minor, currency),
          paid: amount(refunded.of, currency),
        }),
      email,
      isInferred && t('admin.order.inferred'),
      orderId && t('admin.order.ofOrder', { number: numberOf(orderId) }),
      subscriptionId && t('admin.order.ofSubscription', { id: subscriptionId }),
      at !== null && moment(at),
    ];
    return parts.filter((part) => typeof part === 'string' && part !== '') as string[];
  };

  const differenceText = (line: Difference): string => {
    switch (line.what) {
      case 'order': {
        const number = orderNumber({ id: line.orderId });
        return t('admin.order.differs.order', { number, status: word('order', line.status) });
      }
      case 'subscription': {
        const parts = {
          id: line.subscriptionId ?? t('admin.order.differs.newSubscription'),
          state: word('subscription', line.state),
          renewal: t(line.renews ? 'admin.user.renews' : 'admin.user.renewsNot'),
        };
        return line.paidUntil === null
          ? t('admin.order.differs.subscriptionUnpaid', parts)
          : t('admin.order.differs.subscription', { ...parts, time: moment(line.paidUntil) });
      }
      case 'grant':
        return t('admin.order.differs.grant', {
          ...{ credits: whole(line.credits), time: moment(line.endsAt), id: line.paymentKey },
        });
      case 'revocation':
        return t('admin.order.differs.revocation', {
          ...{ credits: whole(line.credits), reason: word('loss', line.reason), id: line.paymentKey },
        });
      case 'set_aside':
        return t('admin.order.differs.set_aside', {
          reason: word('setAside', line.reason),
          id: line.subject,
        });
    }
  };

  return { factParts, differenceText };
}

/** As its buyer sees it, where it is one of ours: a provider may name any. */
function numberOf(orderId: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(orderId)
    ? orderNumber({ id: orderId })
    : orderId;
}
