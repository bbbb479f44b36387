import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import type { Deletion, DeletionState } from '#contract/personal-data.ts';
import { formatDay } from '#i18n/formats.ts';
import { ApiError, callApi, mayBeDone } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { clearUser } from '../session/clear-user.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

interface DeleteAccountProps {
  user: UserRecord;
  /** It is under way, or how it ended; null: it did not begin. The page may be signed out by then. */
  onDeletion: (state: DeletionState | 'leaving' | null) => void;
}

/** Says what a deletion does and what stays, and does it once the user has typed the address. */
export function DeleteAccount({ user, onDeletion }: DeleteAccountProps) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { confirmed, dialog } = useConfirmation();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  const leave = async (email: string) => {
    setBusy(true);
    setProblem(null);
    onDeletion('leaving');
    try {
      const { state } = await confirmed(() =>
        callApi<Deletion>('/api/me/delete', { method: 'POST', body: { email } }),
      );
      onDeletion(state);
      clearUser(queryClient);
    } catch (error) {
      onDeletion(null);
      if (!(error instanceof ConfirmationDismissed)) setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    if (email.toLowerCase() !== user.email) return setProblem('leaving.mismatch');
    if (!busy) void leave(email);
  };
  const close = () => {
    if (busy) return;
    setProblem(null);
    setOpen(false);
  };

  return (
    <div className="flex max-w-prose flex-col items-start gap-4">
      <p className="text-soft">{t('leaving.text')}</p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t('leaving.title')}
      </Button>
      <Dialog open={open} stays={busy} onClose={close} title={t('leaving.title')} alert>
        <Consequences user={user} />
        <form noValidate onSubmit={submit} className="mt-5 flex flex-col gap-2">
          <TextField
            label={t('leaving.type', { email: user.email })}
            name="email"
            type="email"
            autoComplete="off"
            error={problem === 'leaving.mismatch' ? t(problem) : undefined}
          />
          <FieldError>{problem && problem !== 'leaving.mismatch' ? t(problem) : null}</FieldError>
          <DialogActions>
            <Button data-focus-first variant="secondary" disabled={busy} onClick={close}>
              {t('leaving.stay')}
            </Button>
            <Button type="submit" variant="danger" busy={busy}>
              {t('leaving.submit')}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      {dialog}
    </div>
  );
}

function Consequences({ user }: { user: UserRecord }) {
  const { t, i18n } = useTranslation('common');
  const { subscription, credits } = user;
  return (
    <dl className="flex flex-col gap-3 text-sm leading-relaxed [&_dt]:font-semibold">
      <div>
        <dt>{t('leaving.goesTitle')}</dt>
        <dd>{t('leaving.goes', { credits })}</dd>
      </div>
      {subscription?.active ? (
        <div>
          <dt>{t('leaving.planTitle')}</dt>
          <dd>
            {subscription.expiresAt
              ? t('leaving.planUntil', { date: formatDay(i18n.language, subscription.expiresAt) })
              : t('leaving.plan')}
          </dd>
        </div>
      ) : null}
      <div>
        <dt>{t('leaving.staysTitle')}</dt>
        <dd>{t('leaving.stays')}</dd>
      </div>
      <div>
        <dt>{t('leaving.afterTitle')}</dt>
        <dd>{t('leaving.after')}</dd>
      </div>
    </dl>
  );
}

function problemOf(error: unknown): TextKey {
  if (error instanceof ApiError && error.code === 'confirmation_mismatch') return 'leaving.mismatch';
  if (mayBeDone(error)) return 'leaving.unconfirmed';
  return reachProblem(error) ?? 'leaving.failed';
}
