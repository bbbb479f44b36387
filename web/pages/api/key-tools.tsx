import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SignInGate } from '../layout/sign-in-gate.tsx';

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
  return (
    <section aria-labelledby="keys" className="until-session-known mb-16">
      <h2 id="keys" className="headline mb-6 text-3xl">
        {t('keys.title')}
      </h2>
      {session.state === 'loading' ? (
        <div className="min-h-56">
          <NeedsScript />
        </div>
      ) : (
        <SignInGate text={t('keys.signedOut')} next={pathTo('api')} />
      )}
    </section>
  );
}
