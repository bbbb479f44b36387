import { useLocation } from 'react-router';
import { EmailChangeConfirmation } from '#web/features/accounts/email/email-change-confirmation.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Both links of an address change lead here: `#token=` agrees, `#stop=` says this was not me. */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('common');
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const params = new URLSearchParams(hash.slice(1));
  const stop = params.get('stop');
  const token = stop ?? params.get('token') ?? '';
  return (
    <>
      <PlainPageHead page="confirm-email" />
      <AuthLayout
        always
        title={t(hydrated && stop !== null ? 'confirmEmail.stopTitle' : 'confirmEmail.title')}
      >
        {hydrated ? <EmailChangeConfirmation key={token} token={token} stops={stop !== null} /> : null}
      </AuthLayout>
    </>
  );
}
