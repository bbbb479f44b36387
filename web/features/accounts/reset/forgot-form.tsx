import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { emailProblem } from '../form/check-registration.ts';
import { EmailField } from '../form/email-field.tsx';
import { requestProblem, requestReset } from './reset-password.ts';

/** Asks for a reset mail; says the same whether or not an account has the address. `onNoMail`: this server sends none. */
export function ForgotForm({ onNoMail }: { onNoMail: () => void }) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<{ field?: TextKey; form?: TextKey }>({});
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const hydrated = useHydrated();
  const { asHuman, captcha } = useCaptcha();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get('email'));
    const field = emailProblem(email);
    setProblem(field ? { field } : {});
    if (field) return focusFirstError(formRef.current);
    setBusy(true);
    try {
      await asHuman((proof) => requestReset(email, proof));
      setSentTo(email.trim());
    } catch (error) {
      const form = requestProblem(error);
      if (form === 'forgot.text') onNoMail();
      else setProblem({ form });
    } finally {
      setBusy(false);
    }
  };

  if (sentTo !== null) {
    return (
      <div className="flex flex-col items-start gap-5">
        <p role="status">{t('forgot.sent', { email: sentTo })}</p>
        <Button variant="secondary" onClick={() => setSentTo(null)}>
          {t('forgot.again')}
        </Button>
      </div>
    );
  }
  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-soft">{t('forgot.lead')}</p>
      <EmailField error={problem.field} />
      {captcha}
      <FieldError>{problem.form && t(problem.form)}</FieldError>
      <Button type="submit" busy={busy} disabled={!hydrated} className="w-full">
        {t(busy ? 'forgot.busy' : 'forgot.submit')}
      </Button>
    </form>
  );
}
