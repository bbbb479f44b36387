import { type FormEvent, useEffect, useRef, useState } from 'react';
import { MAX_ACT_CREDITS, MAX_ACT_DAYS, MAX_PRICE, MAX_REASON } from '#contract/admin/acts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type ActDraft, actOf, fieldsOf, wholeOf } from './act-draft.ts';
import { PreviewBox, usePreview } from './act-preview.tsx';
import type { useActSending } from './use-act-sending.ts';

interface ActFormProps extends Pick<ReturnType<typeof useActSending>, 'busy' | 'problem' | 'send'> {
  draft: ActDraft;
  onChange: (change: Partial<ActDraft>) => void;
  onClose: () => void;
}

/** Why, how much where that is to be said, and what it would change. */
export function ActForm({ draft, onChange, onClose, busy, problem, send }: ActFormProps) {
  const { t } = useTranslation('admin');
  const formRef = useRef<HTMLFormElement>(null);
  const submitRef = useRef<HTMLButtonElement>(null);
  const [wasSent, setWasSent] = useState(false);
  const act = actOf(draft);
  const preview = usePreview(act);
  // What was done already may not be possible a second time; the server knows it by its id.
  const maySend = preview.preview !== null || draft.isUnsure;
  const isNamed = draft.reason.trim() !== '';
  const name = draft.act.act;

  // The button was out of use, and lost the focus with it.
  useEffect(() => {
    if (wasSent && !busy) submitRef.current?.focus();
  }, [wasSent, busy]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasSent(true);
    if (act && maySend && isNamed) void send(draft, act);
    else focusFirstError(formRef.current);
  };

  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {fieldsOf(name).includes('credits') ? <NumberFields draft={draft} onChange={onChange} /> : null}
      {name === 'set_price' ? <PriceFields draft={draft} onChange={onChange} /> : null}
      <TextArea
        label={t('admin.acts.reason')}
        hint={t('admin.acts.reasonHint')}
        name="reason"
        rows={2}
        maxLength={MAX_REASON}
        required
        data-focus-first={fieldsOf(name).length > 0 ? undefined : true}
        value={draft.reason}
        onChange={(event) => onChange({ reason: event.target.value })}
        error={wasSent && !isNamed ? t('admin.acts.reasonMissing') : undefined}
      />
      {draft.isUnsure && preview.query.isError ? null : (
        <PreviewBox preview={preview} act={act} currency={draft.about.currency} saysSecond />
      )}
      <FieldError>{problem ?? (draft.isUnsure && !busy ? t('admin.acts.unsure') : null)}</FieldError>
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          {t('admin.acts.cancel')}
        </Button>
        <Button ref={submitRef} type="submit" busy={busy} disabled={act === null || !maySend}>
          {t(preview.preview?.needsSecondOperator ? 'admin.acts.propose' : `admin.act.${name}.do`)}
        </Button>
      </DialogActions>
    </form>
  );
}

/** How many credits, and for how long where they are given. */
function NumberFields({ draft, onChange }: Pick<ActFormProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('admin');
  const isGrant = draft.act.act === 'grant';
  const faultOf = (text: string, limit: number) => {
    const value = wholeOf(text);
    const isFine = text === '' || (value >= 1 && value <= limit);
    return isFine ? undefined : t('admin.acts.wholeNumber', { limit });
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t(isGrant ? 'admin.acts.creditsGiven' : 'admin.acts.creditsTaken')}
        name="credits"
        inputMode="numeric"
        autoComplete="off"
        data-focus-first
        value={draft.credits}
        onChange={(event) => onChange({ credits: event.target.value })}
        error={faultOf(draft.credits, MAX_ACT_CREDITS)}
        className="tabular-nums"
      />
      {isGrant ? (
        <TextField
          label={t('admin.acts.days')}
          name="days"
          inputMode="numeric"
          autoComplete="off"
          value={draft.days}
          onChange={(event) => onChange({ days: event.target.value })}
          error={
            draft.days === ''
              ? t('admin.acts.wholeNumber', { limit: MAX_ACT_DAYS })
              : faultOf(draft.days, MAX_ACT_DAYS)
          }
          className="tabular-nums"
        />
      ) : null}
    </div>
  );
}

/** The price, and from which day on. */
function PriceFields({ draft, onChange }: Pick<ActFormProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation('admin');
  const { least, most, first } = draft.about.pricing ?? { least: 1, most: MAX_PRICE, first: '' };
  const cost = wholeOf(draft.credits);
  const isFine = draft.credits === '' || (cost >= least && cost <= most);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t('admin.acts.newPrice')}
        hint={t('admin.acts.priceRange', { least, most })}
        name="cost"
        inputMode="numeric"
        autoComplete="off"
        data-focus-first
        value={draft.credits}
        onChange={(event) => onChange({ credits: event.target.value })}
        error={isFine ? undefined : t('admin.acts.priceWhole', { least, most })}
        className="tabular-nums"
      />
      <TextField
        label={t('admin.acts.priceFrom')}
        hint={t('admin.acts.priceDays', { first })}
        name="from"
        type="date"
        min={first}
        value={draft.from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
    </div>
  );
}
