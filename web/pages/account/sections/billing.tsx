import { Link } from 'react-router';
import { SubscriptionPanel } from '#web/features/billing/subscription/subscription-panel.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { AccountSection } from '../account-section.tsx';

/** The plan, and the ways to orders, receipts and the statement. */
export default function BillingSection() {
  const { t } = useTranslation('common');
  const plans = `${useLocalPath()('subscription')}#plans`;
  return (
    <AccountSection page="profile/billing">
      {(user) => (
        <div className="mt-8 flex flex-col gap-6">
          <SubscriptionPanel user={user} plans={user.subscription?.active ? plans : undefined} />
          {user.subscription?.active ? null : (
            <Link to={plans} className={classNames(buttonStyle(), 'self-start')}>
              {t('accountPages.plans')}
            </Link>
          )}
        </div>
      )}
    </AccountSection>
  );
}
