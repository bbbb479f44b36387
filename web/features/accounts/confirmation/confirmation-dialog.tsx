import { useQuery } from '@tanstack/react-query';
import type {
  ConfirmationMethod,
  ConfirmationMethods,
  ConfirmIdentity,
} from '#contract/accounts/confirmation.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { noteRenewal } from '#web/lib/session-renewal.ts';
import { Button, Spinner } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { CodeForm } from '../second-step/code-form.tsx';
import { GoogleLogo } from '../sign-in/google-logo.tsx';
import { PasskeyButton } from '../sign-in/passkey-button.tsx';
import { useGoogle } from '../sign-in/use-google.ts';
import { ConfirmByPassword } from './confirm-by-password.tsx';

interface ConfirmationDialogProps {
  open: boolean;
  onConfirmed: () => void;
  onDismiss: () => void;
}

/** Asks for a proof that it is the user, by one of the ways that the account has. */
export function ConfirmationDialog({ open, onConfirmed, onDismiss }: ConfirmationDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Dialog open={open} onClose={onDismiss} title={t('confirmation.title')}>
      <p className="mb-5 text-soft">{t('confirmation.lead')}</p>
      <Methods onConfirmed={onConfirmed} />
    </Dialog>
  );
}

function Methods({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation('common');
  const { data, isError } = useQuery({
    queryKey: ['confirmation-methods'],
    queryFn: ({ signal }) => callApi<ConfirmationMethods>('/api/me/confirm', { signal }),
    gcTime: 0,
  });
  if (isError && !data) return <p role="alert">{t('confirmation.failed')}</p>;
  if (!data) return <Spinner />;
  if (data.methods.length === 0) return <p>{t('confirmation.signInAgain')}</p>;
  const has = (method: ConfirmationMethod) => data.methods.includes(method);
  const prove = async (proof: ConfirmIdentity) => {
    noteRenewal();
    await callApi('/api/me/confirm', { method: 'POST', body: proof });
    onConfirmed();
  };
  const passkey = has('passkey') ? (
    <PasskeyButton
      label={t('secondStep.passkey')}
      optionsPath="/api/me/confirm/passkey"
      onAnswer={(answer) => prove({ passkey: answer })}
    />
  ) : null;
  if (has('code'))
    return (
      <CodeForm onCode={(code) => prove({ code })} submit={t('confirmation.submit')}>
        {passkey}
      </CodeForm>
    );
  return (
    <div className="flex flex-col gap-4">
      {has('password') ? <ConfirmByPassword onPassword={(password) => prove({ password })} /> : null}
      {passkey}
      {has('google') ? <ConfirmByGoogle onConfirmed={onConfirmed} /> : null}
    </div>
  );
}

/** Proves that it is the user by the Google account that is connected. */
function ConfirmByGoogle({ onConfirmed }: { onConfirmed: () => void }) {
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
