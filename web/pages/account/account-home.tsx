import { useEffect } from 'react';
import { useLocation, useNavigate, useOutletContext } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { ACCOUNT_PAGES } from '#web/lib/pages.ts';
import type { AccountContext } from './account-section.tsx';
import { sectionOfAnchor } from './use-old-anchors.ts';

/** Tailwind's `lg`: from here on the sections stand beside their index. */
const WIDE = '(width >= 64rem)';

/** The index by itself, which the account page draws; to a visitor, the way in. Where there is room it leads on to the first section. */
export default function AccountHome() {
  const { t } = useTranslation('common');
  const { user, gate } = useOutletContext<AccountContext>();
  useFirstSectionWhereWide(user !== null);
  return (
    <div className="min-w-0">
      <PlainPageHead page="profile" />
      {user ? null : (
        <>
          <h1 className="headline mb-2 text-4xl">{t('accountPages.index')}</h1>
          <div className="mt-8">{gate(t('profile.signedOutText'))}</div>
        </>
      )}
    </div>
  );
}

function useFirstSectionWhereWide(isKnown: boolean): void {
  const navigate = useNavigate();
  const { search, hash } = useLocation();
  const leads = isKnown && !sectionOfAnchor(hash);
  useEffect(() => {
    if (!leads) return;
    const wide = window.matchMedia(WIDE);
    function lead() {
      if (wide.matches) void navigate({ pathname: `/${ACCOUNT_PAGES[0]}`, search }, { replace: true });
    }
    lead();
    wide.addEventListener('change', lead);
    return () => wide.removeEventListener('change', lead);
  }, [leads, search, navigate]);
}
