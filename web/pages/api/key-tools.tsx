import { Link } from 'react-router';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { NeedsScript } from '../layout/needs-script.tsx';

const loadTools = () => import('./api-tools.tsx');

/** Keys, a trial and usage for a user; the sign-in for a visitor. */
export function KeyTools() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const session = useSession();
  const tools = useModule(session.state === 'signed-in', loadTools);
  if (session.state === 'signed-in') {
    return tools ? <tools.ApiTools credits={session.user.credits} /> : <div className="min-h-96" />;
  }
  const next = `?next=${encodeURIComponent(pathTo('api'))}`;
  return (
    <section aria-labelledby="keys" className="until-session-known mb-16">
      <h2 id="keys" className="headline mb-3 text-3xl">
        {t('keys.title')}
      </h2>
      <p className="mb-4 max-w-prose text-soft">{t('keys.signedOut')}</p>
      {session.state === 'loading' ? (
        <div className="min-h-11">
          <NeedsScript />
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Link to={`${pathTo('register')}${next}`} className={buttonStyle()}>
            {t('nav.register')}
          </Link>
          <Link to={`${pathTo('login')}${next}`} className={buttonStyle('secondary')}>
            {t('nav.login')}
          </Link>
        </div>
      )}
    </section>
  );
}
