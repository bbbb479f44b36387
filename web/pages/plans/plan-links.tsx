import { Link } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

/** To an account, for who has none, and to the plans. */
export function PlanLinks() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state } = useSession();
  return (
    <p className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-3">
      {state === 'signed-in' ? null : (
        <Link
          to={pathTo('register')}
          className={classNames(buttonStyle('secondary'), state === 'loading' && 'until-session-known')}
        >
          {t('nav.register')}
        </Link>
      )}
      <Link to={pathTo('pricing')} className="inline-flex min-h-11 items-center underline underline-offset-4">
        {t('nav.pricing')}
      </Link>
    </p>
  );
}
