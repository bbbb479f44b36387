import { Link } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';

/** The last word to who has no account yet. */
export function Closing() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { state } = useSession();
  if (state === 'signed-in') return null;
  return (
    <section
      aria-labelledby="closing"
      className={classNames('page section', state === 'loading' && 'until-session-known')}
    >
      <div className="speech flex flex-col items-start gap-4 sm:w-fit">
        <h2 id="closing" className="headline text-4xl">
          {t('home.closingTitle')}
        </h2>
        <p className="text-lg text-soft">{t('home.closingText')}</p>
        <Link to={pathTo('register')} className={buttonStyle('primary', 'large')}>
          {t('home.signUpFree')}
        </Link>
      </div>
    </section>
  );
}
