import { Link } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

interface StartLinksProps {
  /** Beside something that is more to the point. */
  isQuiet?: boolean;
}

/** The way in: to the chat for who is signed in, else to an account. */
export function StartLinks({ isQuiet = false }: StartLinksProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state } = useSession();
  const first = isQuiet
    ? classNames(buttonStyle('quiet'), 'underline underline-offset-4')
    : buttonStyle('primary', 'large');
  const second = isQuiet ? first : buttonStyle('secondary', 'large');
  if (state === 'signed-in') {
    return (
      <Link to={pathTo('chat')} className={classNames(first, 'w-fit', isQuiet && '-ml-4')}>
        {t('home.startChat')}
      </Link>
    );
  }
  return (
    <div
      className={classNames(
        'flex flex-wrap',
        isQuiet ? '-ml-4' : 'gap-3',
        state === 'loading' && 'until-session-known',
      )}
    >
      <Link to={pathTo('register')} className={first}>
        {t('home.signUpFree')}
      </Link>
      <Link to={pathTo('login')} className={second}>
        {t('home.logInNow')}
      </Link>
    </div>
  );
}

/** What a visitor is given to begin with. */
export function FreeNote() {
  const { t } = useTranslation('common');
  const { state } = useSession();
  if (state === 'signed-in') return null;
  return <p className="text-soft text-sm">{t('home.freeNote')}</p>;
}
