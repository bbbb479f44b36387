import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SignInGate } from '../layout/sign-in-gate.tsx';

interface RequireAuthProps {
  /** What a visitor would see here after logging in. */
  text: string;
  children: (user: UserRecord) => ReactNode;
}

/** What only its user sees; to a visitor, the way in, which leads back here. */
export function RequireAuth({ text, children }: RequireAuthProps) {
  const { t } = useTranslation('common');
  const { pathname } = useLocation();
  const session = useSession();
  if (session.state === 'signed-in') return children(session.user);
  if (session.state === 'loading') return <NeedsScript />;
  if (session.state === 'unknown') return <p role="alert">{t('account.unreachable')}</p>;
  return <SignInGate text={text} next={pathname} />;
}
