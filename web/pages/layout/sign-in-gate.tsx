import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';

interface SignInGateProps {
  /** What stands here for its user. */
  text: string;
  /** Where both ways in lead back to: a path with its query. */
  next: string;
  /** What the first way in is called where it is more than to log in. */
  label?: string;
}

/** What a visitor sees in the place of what is only its user's. */
export function SignInGate({ text, next, label }: SignInGateProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const query = `?${new URLSearchParams({ next })}`;
  return (
    <div className="speech sm:w-fit sm:min-w-md">
      <h2 className="headline text-2xl">{t('chat.signedOutTitle')}</h2>
      <p className="mt-1 text-soft">{text}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Link to={`${pathTo('login')}${query}`} className={buttonStyle()}>
          {label ?? t('nav.login')}
        </Link>
        <Link to={`${pathTo('register')}${query}`} className={buttonStyle('secondary')}>
          {t('nav.register')}
        </Link>
      </div>
    </div>
  );
}
