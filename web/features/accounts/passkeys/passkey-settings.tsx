import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { describeAgent } from '#contract/describe-agent.ts';
import { formatDay } from '#i18n/formats.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { ConfirmationDismissed, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { passkeysQuery } from '../second-factor/second-factor-query.ts';
import { passkeyProblem, passkeySupport } from '../sign-in/passkey.ts';
import { DeletePasskey, RenamePasskey } from './passkey-dialogs.tsx';

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
      const { createPasskey } = await import('../sign-in/ask-passkey.ts');
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

  if (isError && !data) return <p role="alert">{t('passkeys.loadFailed')}</p>;
  if (!data) return null;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-soft">{t('passkeys.lead')}</p>
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
        <p className="max-w-prose">{t(support === 'address' ? 'passkeys.address' : 'passkeys.browser')}</p>
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

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onDelete: () => void;
}

/** One passkey in the list. */
function PasskeyRow({ passkey: { name, createdAt, usedAt }, onRename, onDelete }: PasskeyRowProps) {
  const { t, i18n } = useTranslation('common');
  const dayOf = (time: number) => formatDay(i18n.language, time);
  const used = usedAt === null ? t('passkeys.neverUsed') : t('passkeys.used', { date: dayOf(usedAt) });
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="break-words font-medium">{name}</p>
        <p className="text-soft text-sm tabular-nums">
          {t('passkeys.created', { date: dayOf(createdAt) })} · {used}
        </p>
      </div>
      <div className="-mx-4 flex sm:mx-0">
        <Button variant="quiet" onClick={onRename} aria-label={t('passkeys.renameOne', { name })}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="quiet" onClick={onDelete} aria-label={t('passkeys.deleteOne', { name })}>
          {t('passkeys.delete')}
        </Button>
      </div>
    </li>
  );
}
