import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ResetDone } from '#contract/accounts.ts';
import { MAX_PASSWORD } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { type FieldErrors, passwordProblem } from '../form/check-registration.ts';
import { NewPasswordFields } from '../form/new-password-fields.tsx';
import { resetOfferQuery, resetPassword, resetProblem } from './reset-password.ts';
import { ResetWays } from './reset-ways.tsx';

interface ResetFormProps {
  /** Of the mail's link. */
  token: string;
  /** Says what saving it does. */
  lead: string;
  onDone: (done: ResetDone) => void;
  /** The link is no longer good. */
  onInvalid: () => void;
}

/** A new password, twice, and what else of the account is to end. */
export function ResetForm({ token, lead, onDone, onInvalid }: ResetFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<'password' | 'confirmation' | 'form'>>({});
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const { data: offer, error, refetch } = useQuery({ ...resetOfferQuery(token), enabled: token !== '' });
  const isOver = error !== null && resetProblem(error) === 'errors.reset_link_invalid';
  useEffect(() => {
    if (isOver) onInvalid();
  }, [isOver, onInvalid]);
  const say = (key: TextKey | undefined) => key && t(key, { max: MAX_PASSWORD });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !offer) return;
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
      const ends = data.getAll('ends');
      const keep = offer.ways.map(({ id }) => id).filter((id) => !ends.includes(id));
      onDone(await resetPassword(token, password, keep));
    } catch (error) {
      const form = resetProblem(error);
      if (form === 'errors.reset_link_invalid') onInvalid();
      else setErrors({ form });
    } finally {
      setBusy(false);
    }
  };

  if (error && !isOver)
    return (
      <>
        <p role="alert">{t('reset.offerFailed')}</p>
        <Button onClick={() => void refetch()}>{t('reset.retry')}</Button>
      </>
    );
  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-soft">{lead}</p>
      <NewPasswordFields
        label={t('account.password')}
        required
        errors={{ password: say(errors.password), confirmation: say(errors.confirmation) }}
      />
      {offer ? <ResetWays offer={offer} /> : null}
      <FieldError>{say(errors.form)}</FieldError>
      <Button type="submit" busy={busy} disabled={!hydrated || !offer} className="w-full">
        {t(busy ? 'reset.busy' : 'reset.submit')}
      </Button>
    </form>
  );
}
