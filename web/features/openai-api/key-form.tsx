import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiKey, type CreatedKey, KEY_NAME_MAX } from '#contract/keys.ts';
import {
  ConfirmationDismissed,
  type Confirmed,
} from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { faultText } from './fault-text.ts';
import { type DraftField, draftOf, type KeyDraft, readDraft } from './key-draft.ts';
import { keysQuery } from './keys-query.ts';

interface KeyFormProps {
  confirmed: Confirmed;
  /** Null: a new one. */
  edited: ApiKey | null;
  /** Receives the new key, or null where one was changed. */
  onDone: (created: CreatedKey | null) => void;
}

/** Name and limits of a key. */
export function KeyForm({ confirmed, edited, onDone }: KeyFormProps) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(edited));
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readDraft(draft, Date.now());
    setWrong('wrong' in read ? read.wrong : []);
    if ('key' in read) save.mutate(read.key);
  };
  const fault = (field: DraftField, text: string) => (wrong.includes(field) ? text : undefined);
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label={t('keys.name')}
        hint={t('keys.nameHint')}
        value={draft.name}
        maxLength={KEY_NAME_MAX}
        onChange={(event) => put({ name: event.target.value })}
        error={fault('name', t('keys.nameWrong'))}
      />
      <Models models={draft.models} onChange={(models) => put({ models })} />
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
      <Button type="submit" busy={save.isPending}>
        {t(edited ? 'keys.save' : 'keys.create')}
      </Button>
    </form>
  );
}

interface ModelsProps {
  models: string[] | null;
  onChange: (models: string[] | null) => void;
}

function Models({ models, onChange }: ModelsProps) {
  const { t, i18n } = useTranslation('common');
  const { data } = useQuery(catalogueQuery);
  const offered = (data?.models ?? []).filter(({ cost }) => cost !== null);
  const toggle = (id: string, chosen: boolean) =>
    onChange([...(models ?? []).filter((one) => one !== id), ...(chosen ? [id] : [])]);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">{t('keys.models')}</legend>
      <Checkbox
        label={t('keys.everyModel')}
        checked={models === null}
        onChange={(event) => onChange(event.target.checked ? null : [])}
      />
      {models !== null
        ? offered.map((model) => (
            <div key={model.id} className="ml-7">
              <Checkbox
                label={model.title[i18n.language]}
                checked={models.includes(model.id)}
                onChange={(event) => toggle(model.id, event.target.checked)}
              />
            </div>
          ))
        : null}
    </fieldset>
  );
}
