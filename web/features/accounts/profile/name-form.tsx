import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { MAX_NAME } from '#contract/limits.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { sessionQuery } from '../session/use-session.ts';
import { reachProblem } from '../sign-in/sign-in.ts';

/** The name that others of the user's pages show. */
export function NameForm({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const displayName = String(new FormData(event.currentTarget).get('displayName')).trim();
    setSaved(false);
    setProblem(displayName === '' ? 'profile.nameMissing' : null);
    if (displayName === '') return;
    setBusy(true);
    try {
      const changed = await callApi<UserRecord>('/api/me', { method: 'PATCH', body: { displayName } });
      queryClient.setQueryData(sessionQuery.queryKey, changed);
      setSaved(true);
    } catch (error) {
      setProblem(reachProblem(error) ?? 'profile.notSaved');
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <TextField
        label={t('profile.name')}
        isLabelHidden
        name="displayName"
        autoComplete="name"
        maxLength={MAX_NAME}
        defaultValue={user.displayName ?? ''}
        error={problem ? t(problem) : undefined}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" busy={busy}>
          {t('profile.save')}
        </Button>
        <p role="status" className="text-soft text-sm">
          {saved ? t('profile.saved') : ''}
        </p>
      </div>
    </form>
  );
}
