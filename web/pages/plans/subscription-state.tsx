import { useLocation } from 'react-router';
import type { Session } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useModule } from '#web/lib/use-module.ts';
import { SignInGate } from '../layout/sign-in-gate.tsx';

const loadOwn = () => import('#web/features/billing/subscription/subscription-panel.tsx');

/** What the reader has; to a visitor, the way in, which leads back to this very address. */
export function SubscriptionState({ session }: { session: Session }) {
  const { t } = useTranslation('common');
  const { pathname, search } = useLocation();
  const here = pathname + (useHydrated() ? search : '');
  const own = useModule(session.state === 'signed-in', loadOwn);
  const heading = (
    <h2 id="status" tabIndex={-1} className="headline mb-4 text-2xl outline-none">
      {t('subscription.statusTitle')}
    </h2>
  );
  if (session.state === 'signed-in' && own)
    return <own.OwnSubscription user={session.user} heading={heading} />;
  return (
    <>
      {heading}
      <NotKnown state={session.state} here={here} />
    </>
  );
}

function NotKnown({ state, here }: { state: Session['state']; here: string }) {
  const { t } = useTranslation('common');
  if (state === 'unknown') return <p role="alert">{t('subscription.loadFailed')}</p>;
  // As high as the panel of who has no plan, for whoever was signed in a moment ago.
  if (state !== 'signed-out')
    return (
      <div className="min-h-56 in-data-[session=expected]:min-h-102 lg:in-data-[session=expected]:min-h-69" />
    );
  return <SignInGate text={t('subscription.signedOutText')} next={here} label={t('subscription.signIn')} />;
}
