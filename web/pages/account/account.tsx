import { useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import type { DeletionState } from '#contract/personal-data.ts';
import { isSessionExpected, useSession } from '#web/features/accounts/session/use-session.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { preloadModule, useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';
import { NeedsScript } from '../layout/needs-script.tsx';
import { SignInGate } from '../layout/sign-in-gate.tsx';
import type { AccountContext } from './account-section.tsx';
import { Farewell } from './farewell.tsx';
import { useOldAnchors } from './use-old-anchors.ts';

/** Visitors of the subscription page need no index. */
const loadIndex = () => import('./section-list.tsx');

if (globalThis.window && isSessionExpected()) void preloadModule(loadIndex);

/** The account of its user: an index of its sections, and the section or record that the path names. To a visitor, the way in. */
export default function AccountPage() {
  const { t } = useTranslation('common');
  const session = useSession();
  const { pathname, search } = useLocation();
  const [deletion, setDeletion] = useState<DeletionState | 'leaving' | null>(null);
  const index = useModule(session.state === 'signed-in', loadIndex);
  useOldAnchors();
  if (deletion !== null && session.state === 'signed-out') {
    return (
      <div className="page py-16 sm:py-20">
        <PlainPageHead page="profile" />
        <Farewell state={deletion} />
      </div>
    );
  }
  const context: AccountContext = {
    user: session.state === 'signed-in' ? session.user : null,
    onDeletion: setDeletion,
    gate: (text) =>
      session.state === 'signed-out' ? (
        <SignInGate text={text} next={pathname + search} />
      ) : session.state === 'unknown' ? (
        <p role="alert">{t('profile.loadFailed')}</p>
      ) : (
        <NeedsScript />
      ),
  };
  // Not known yet: the place of the index is kept for whoever was signed in a moment ago.
  const isUnknown = context.user === null && session.state !== 'signed-out';
  return (
    <div
      className={classNames(
        'page grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 py-10 sm:py-14 print:block print:py-0',
        context.user && 'lg:grid-cols-[13rem_minmax(0,1fr)]',
        isUnknown && 'lg:in-data-[session=expected]:grid-cols-[13rem_minmax(0,1fr)]',
      )}
    >
      {context.user && index ? <index.SectionList user={context.user} /> : null}
      {context.user && !index ? <div className="max-lg:hidden" /> : null}
      {isUnknown ? <div className="for-readers max-lg:hidden" /> : null}
      <Outlet context={context} />
    </div>
  );
}
