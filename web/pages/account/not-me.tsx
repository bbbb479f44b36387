import { useLocation } from 'react-router';
import { NoticeDenial } from '#web/features/accounts/reset/notice-denial.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Where the “this was not me” of a notice leads. */
export default function NotMePage() {
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return (
    <>
      <PlainPageHead page="not-me" />
      <AuthLayout always title={t('notMe.title')}>
        {hydrated ? <NoticeDenial key={token} token={token} /> : null}
      </AuthLayout>
    </>
  );
}
