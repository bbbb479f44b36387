import { useTranslation } from '#web/lib/i18n.tsx';
import { noteRenewal } from '#web/lib/session-renewal.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { GoogleLogo } from '../sign-in/google-logo.tsx';
import { useGoogle } from '../sign-in/use-google.ts';

/** Proves that it is the user by the Google account that is connected. */
export function ConfirmByGoogle({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation('common');
  const { start, busy, problem } = useGoogle('confirm', async () => onConfirmed());
  return (
    <div className="flex flex-col gap-4">
      <FieldError>{problem && t(problem)}</FieldError>
      <Button
        variant="secondary"
        busy={busy}
        onClick={() => {
          noteRenewal();
          void start({ returnTo: window.location.pathname });
        }}
      >
        {busy ? null : <GoogleLogo />}
        {t(busy ? 'google.busy' : 'google.confirm')}
      </Button>
    </div>
  );
}
