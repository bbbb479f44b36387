import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { ApiKey, CreatedKey } from '#contract/keys.ts';
import {
  ConfirmationDismissed,
  type Confirmed,
} from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { faultText } from './fault-text.ts';
import { type DraftField, draftOf, type KeyDraft, MAX_KEY_NAME, readDraft } from './key-draft.ts';
import { KeyModels } from './key-models.tsx';
import { keysQuery } from './keys-query.ts';

interface KeyFormProps {
  confirmed: Confirmed;
  /** Null: a new one. */
  edited: ApiKey | null;
  onCancel: () => void;
  /** Receives the new key, or null where one was changed. */
  onDone: (created: CreatedKey | null) => void;
}

/** Name and limits of a key. */
export function KeyForm({ confirmed, edited, onCancel, onDone }: KeyFormProps) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const [opened] = useState(() => draftOf(edited));
  const [draft, setDraft] = useState(opened);
  const [wrong, setWrong] = useState<DraftField[]>([]);
  const save = useMutation({
    mutationFn: (body: object) =>
      edited
        ? confirmed(() => callApi<ApiKey>(`/api/keys/${edited.id}`, { method: 'PATCH', body })).then(
            () => null,
          )
        : confirmed(() => callApi<CreatedKey>('/api/keys', { method: 'POST', body })),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const hasFailed = save.isError && !(save.error instanceof ConfirmationDismissed);
  const put = (change: Partial<KeyDraft>) => setDraft({ ...draft, ...change });
  const lastDay = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readDraft(draft, Date.now(), edited && opened);
    const found: DraftField[] = 'wrong' in read ? read.wrong : [];
    // A date that is typed in part has the value of an empty one.
    if (lastDay.current?.validity.badInput) return setWrong([...found, 'lastDay']);
    setWrong(found);
    if ('key' in read) save.mutate(read.key);
  };
  const fault = (field: DraftField, text: string) => (wrong.includes(field) ? text : undefined);
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        data-focus-first
        label={t('keys.name')}
        hint={t('keys.nameHint')}
        value={draft.name}
        maxLength={MAX_KEY_NAME}
        onChange={(event) => put({ name: event.target.value })}
        error={fault('name', t('keys.nameWrong'))}
      />
      <KeyModels models={draft.models} onChange={(models) => put({ models })} />
      <FieldError>{fault('models', t('keys.modelsWrong'))}</FieldError>
      <TextField
        label={t('keys.monthlyCap')}
        hint={t('keys.monthlyCapHint')}
        inputMode="numeric"
        value={draft.monthlyCap}
        onChange={(event) => put({ monthlyCap: event.target.value })}
        error={fault('monthlyCap', t('keys.monthlyCapWrong'))}
      />
      <TextField
        ref={lastDay}
        label={t('keys.lastDay')}
        hint={t('keys.lastDayHint')}
        type="date"
        value={draft.lastDay}
        onChange={(event) => put({ lastDay: event.target.value })}
        error={fault('lastDay', t('keys.lastDayWrong'))}
      />
      <TextArea
        label={t('keys.addresses')}
        hint={t('keys.addressesHint')}
        rows={2}
        spellCheck={false}
        value={draft.addresses}
        onChange={(event) => put({ addresses: event.target.value })}
        error={fault('addresses', t('keys.addressesWrong'))}
      />
      <FieldError>{hasFailed ? faultText(t, save.error) : null}</FieldError>
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
        <Button type="submit" busy={save.isPending}>
          {t(edited ? 'keys.save' : 'keys.create')}
        </Button>
      </DialogActions>
    </form>
  );
}
