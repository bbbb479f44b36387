import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/move-focus.ts';
import { type FieldErrors, passwordProblem } from '../form/check-registration.ts';
import { NewPasswordFields } from '../form/new-password-fields.tsx';
import { resetOfferQuery, resetPassword, resetProblem } from './reset-password.ts';

interface ResetFormProps {
  /** Of the mail's link. */
  token: string;
  onDone: () => void;
  /** The link is no longer good. */
  onInvalid: () => void;
}

/** A new password, twice. */
export function ResetForm({ token, onDone, onInvalid }: ResetFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<'password' | 'confirmation' | 'form'>>({});
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const { data: offer } = useQuery({ ...resetOfferQuery(token), enabled: token !== '' });
  const say = (key: TextKey | undefined) => key && t(key, { max: PASSWORD_MAX });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const password = String(data.get('password'));
    const tooBad = passwordProblem(password);
    const differs = password !== String(data.get('confirmation'));
    setErrors({
      ...(tooBad ? { password: tooBad } : {}),
      ...(differs ? { confirmation: 'account.passwordMismatch' } : {}),
    });
    if (tooBad || differs) return focusFirstError(formRef.current);
    setBusy(true);
    try {
      await resetPassword(token, password, data.has('keepKeys'));
      onDone();
    } catch (error) {
      const form = resetProblem(error);
      if (form === 'errors.reset_link_invalid') onInvalid();
      else setErrors({ form });
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-soft">{t('reset.lead')}</p>
      <NewPasswordFields
        label={t('account.password')}
        required
        errors={{ password: say(errors.password), confirmation: say(errors.confirmation) }}
      />
      {offer && offer.keys > 0 ? (
        <div className="flex flex-col gap-1.5">
          <Checkbox name="keepKeys" label={t('reset.keepKeys', { count: offer.keys })} />
          <p className="pl-[1.875rem] text-soft text-sm">{t('reset.keepKeysHint')}</p>
        </div>
      ) : null}
      <FieldError>{say(errors.form)}</FieldError>
      <Button type="submit" busy={busy} disabled={!hydrated} className="w-full">
        {t(busy ? 'reset.busy' : 'reset.submit')}
      </Button>
    </form>
  );
}
