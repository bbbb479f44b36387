import { Link } from 'react-router';
import type { CataloguePlan } from '#contract/catalogue.ts';
import { useSession } from '#web/features/accounts/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

/** The foot of a plan's card: the free plan can be started, the others cannot be bought yet. */
export function PlanAction({ plan }: { plan: CataloguePlan }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state } = useSession();
  if (plan.key !== null) {
    return (
      <Button variant="secondary" disabled aria-describedby="purchase-notice" className="w-full">
        {t('pricing.notOpen')}
      </Button>
    );
  }
  const signedIn = state === 'signed-in';
  return (
    <Link
      to={pathTo(signedIn ? 'chat' : 'register')}
      className={classNames(buttonStyle('primary'), 'w-full', state === 'loading' && 'until-session-known')}
    >
      {t(signedIn ? 'pricing.startChat' : 'pricing.start')}
    </Link>
  );
}
