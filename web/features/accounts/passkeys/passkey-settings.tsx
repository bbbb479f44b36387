import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeAgent } from '#contract/describe-agent.ts';
import type { Passkey } from '#contract/passkeys.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { passkeysQuery } from '../second-factor/second-factor-query.ts';
import { createPasskey } from '../sign-in/passkey.ts';
import { passkeyProblem, passkeySupport } from '../sign-in/passkey-support.ts';
import { DeletePasskey, RenamePasskey } from './passkey-dialogs.tsx';
import { PasskeyRow } from './passkey-row.tsx';

/** The user's passkeys: adds, renames and deletes them. */
export function PasskeySettings() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data, isError } = useQuery(passkeysQuery);
  const { confirmed, dialog } = useConfirmation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [deleted, setDeleted] = useState<Passkey | null>(null);
  const support = passkeySupport();
  const reload = () => queryClient.invalidateQueries(passkeysQuery);

  const add = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const name = describeAgent(navigator.userAgent) ?? t('passkeys.unnamed');
      const answer = await confirmed(createPasskey);
      const keep = () => callApi('/api/me/passkeys', { method: 'POST', body: { name, answer } });
      await confirmed(keep);
      await reload();
      showNotice(t('passkeys.added'));
    } catch (error) {
      setProblem(sayOf(error));
    } finally {
      setBusy(false);
    }
  };
  const sayOf = (error: unknown) => {
    if (error instanceof ConfirmationDismissed) return null;
    if (error instanceof ApiError && error.code === 'too_many_passkeys')
      return t('errors.too_many_passkeys', error.params);
    const key = passkeyProblem(error);
    return key && t(key);
  };

  if (isError) return <p role="alert">{t('passkeys.loadFailed')}</p>;
  if (!data) return null;
  return (
    <div className="flex max-w-prose flex-col gap-4">
      <p className="text-soft">{t('passkeys.lead')}</p>
      {data.length > 0 ? (
        <ul className="divide-y divide-line border-line border-y">
          {data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onDelete={() => setDeleted(passkey)}
            />
          ))}
        </ul>
      ) : null}
      {support === 'yes' ? (
        <Button variant="secondary" busy={busy} onClick={() => void add()} className="self-start">
          {t('passkeys.add')}
        </Button>
      ) : (
        <p>{t(support === 'address' ? 'passkeys.address' : 'passkeys.browser')}</p>
      )}
      <FieldError>{problem}</FieldError>
      <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} onDone={reload} />
      <DeletePasskey
        passkey={deleted}
        confirmed={confirmed}
        onClose={() => setDeleted(null)}
        onDone={reload}
      />
      {dialog}
    </div>
  );
}
