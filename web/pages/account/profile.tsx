import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import type { DeletionState } from '#contract/personal-data.ts';
import { useSignOut } from '#web/features/accounts/session/sign-out.ts';
import { useSession } from '#web/features/accounts/session/use-session.ts';
import { AccountSettings } from '#web/features/accounts/settings/account-settings.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { PageTitle } from '../layout/page-title.tsx';

export default function ProfilePage() {
  const { t } = useTranslation('common');
  const session = useSession();
  const [deletion, setDeletion] = useState<DeletionState | 'leaving' | null>(null);
  const isGone = deletion !== null && session.state === 'signed-out';
  return (
    <div className="page min-h-dvh py-16 sm:py-20">
      <PlainPageHead page="profile" />
      {isGone ? null : <PageTitle title={t('profile.title')} />}
      {session.state === 'loading' ? <NeedsScript /> : null}
      {session.state === 'signed-in' ? <Profile user={session.user} onDeletion={setDeletion} /> : null}
      {isGone ? <Farewell state={deletion} /> : null}
      {session.state === 'signed-out' && !isGone ? <SignedOut /> : null}
      {session.state === 'unknown' ? <p role="alert">{t('profile.loadFailed')}</p> : null}
    </div>
  );
}

interface ProfileProps {
  user: UserRecord;
  onDeletion: (state: DeletionState | 'leaving' | null) => void;
}

function Profile({ user, onDeletion }: ProfileProps) {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const signOut = useSignOut();
  const times = new Intl.DateTimeFormat(languageTag(i18n.language), {
    dateStyle: 'long',
    timeStyle: 'short',
  });
  return (
    <>
      <dl className="mb-8 grid max-w-prose grid-cols-[auto_minmax(0,1fr)] gap-x-10 gap-y-4">
        <Row name={t('profile.email')}>{user.email}</Row>
        <Row name={t('profile.created')}>{times.format(user.createdAt)}</Row>
        <Row name={t('profile.lastLogin')}>{times.format(user.lastLoginAt)}</Row>
        <Row name={t('profile.credits')}>{user.credits.toLocaleString(languageTag(i18n.language))}</Row>
      </dl>
      <div className="flex flex-wrap gap-3">
        <Link to={pathTo('subscription')} className={buttonStyle('secondary')}>
          {t('profile.manage')}
        </Link>
        <Link to={pathTo('credits')} className={buttonStyle('secondary')}>
          {t('profile.statement')}
        </Link>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t('profile.logout')}
        </Button>
      </div>
      <AccountSettings user={user} onDeletion={onDeletion} />
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </>
  );
}

function SignedOut() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <div className="flex flex-col items-start gap-4">
      <h2 className="font-semibold text-lg">{t('profile.signedOutTitle')}</h2>
      <p className="text-soft">{t('profile.signedOutText')}</p>
      <Link to={`${pathTo('login')}?next=/profile`} className={buttonStyle()}>
        {t('nav.login')}
      </Link>
    </div>
  );
}

/** What became of the account; the last line that its user sees on this page. */
function Farewell({ state }: { state: DeletionState | 'leaving' }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  // The page was long and read from its end.
  useEffect(() => window.scrollTo(0, 0), []);
  if (state === 'leaving') return <p role="status">{t('leaving.busy')}</p>;
  const isDeleted = state === 'deleted';
  return (
    <div role="status" className="max-w-prose">
      <PageTitle title={t(isDeleted ? 'leaving.deletedTitle' : 'leaving.waitingTitle')} />
      <p className="mb-8">{t(isDeleted ? 'leaving.deletedText' : 'leaving.waitingText')}</p>
      <a href={pathTo('')} className={buttonStyle('secondary')}>
        {t('leaving.home')}
      </a>
    </div>
  );
}
