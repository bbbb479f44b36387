import { useLocation } from 'react-router';
import { DisownNotice } from '#web/features/accounts/reset/disown-notice.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Where the “this was not me” of a notice leads. */
export default function DisownPage() {
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return (
    <>
      <PlainPageHead page="not-me" />
      <AuthLayout always title={t('disown.title')}>
        {hydrated ? <DisownNotice key={token} token={token} /> : null}
      </AuthLayout>
    </>
  );
}
