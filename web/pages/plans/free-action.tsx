import { Link } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

/** The foot of the free plan's card: the way in. */
export function FreeAction() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state } = useSession();
  const signedIn = state === 'signed-in';
  return (
    <Link
      to={pathTo(signedIn ? 'chat' : 'register')}
      className={classNames(
        buttonStyle(signedIn ? 'secondary' : 'primary'),
        'w-full',
        state === 'loading' && 'until-session-known',
      )}
    >
      {t(signedIn ? 'pricing.startChat' : 'pricing.start')}
    </Link>
  );
}
