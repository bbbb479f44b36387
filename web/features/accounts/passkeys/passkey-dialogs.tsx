import { type FormEvent, useRef, useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { MAX_NAME } from '#contract/limits.ts';
import { callApi, deleteAt } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions, QuestionDialog } from '#web/ui/dialog.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { actProblem } from '../confirmation/use-confirmation.tsx';
import { reachProblem } from '../sign-in/sign-in.ts';

interface PasskeyDialogProps {
  /** Null: closed. */
  passkey: Passkey | null;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onClose, onDone }: PasskeyDialogProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !passkey) return;
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    setProblem(name === '' ? 'passkeys.nameMissing' : null);
    if (name === '') return focusFirstError(formRef.current);
    setBusy(true);
    try {
      await callApi(`/api/me/passkeys/${passkey.id}`, { method: 'PATCH', body: { name } });
      await onDone();
      close();
    } catch (error) {
      setProblem(reachProblem(error) ?? 'passkeys.failed');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={passkey !== null} onClose={close} title={t('passkeys.renameTitle')}>
      <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col">
        <TextField
          label={t('passkeys.name')}
          name="name"
          defaultValue={passkey?.name}
          maxLength={MAX_NAME}
          data-focus-first
          error={problem ? t(problem) : undefined}
        />
        <DialogActions>
          <Button variant="secondary" onClick={close}>
            {t('dialog.cancel')}
          </Button>
          <Button type="submit" busy={busy}>
            {t('profile.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Asks before a passkey is deleted. */
export function DeletePasskey({
  passkey,
  onClose,
  onDone,
  confirmed,
}: PasskeyDialogProps & { confirmed: <T>(act: () => Promise<T>) => Promise<T> }) {
  const { t } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const remove = async ({ id }: Passkey) => {
    setBusy(true);
    setProblem(null);
    try {
      await confirmed(() => deleteAt(`/api/me/passkeys/${id}`));
      await onDone();
      showNotice(t('passkeys.deleted'));
      close();
    } catch (error) {
      setProblem(actProblem(error, 'passkeys.failed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <QuestionDialog
      open={passkey !== null}
      onClose={close}
      title={t('passkeys.deleteTitle')}
      text={t('passkeys.deleteText', { name: passkey?.name ?? '' })}
      problem={problem && t(problem)}
      keep={t('passkeys.keep')}
      act={t('passkeys.delete')}
      busy={busy}
      onAct={() => passkey && void remove(passkey)}
    />
  );
}
