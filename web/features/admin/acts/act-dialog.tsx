import type { Confirmed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Address } from '../show/address.tsx';
import type { ActDraft } from './act-draft.ts';
import { ActForm } from './act-form.tsx';
import { ActOutcomeText } from './act-outcome-text.tsx';
import { useActSending } from './use-act-sending.ts';
import { useFocusBack } from './use-focus-back.ts';

interface ActDialogProps {
  draft: ActDraft;
  onChange: (change: Partial<ActDraft>) => void;
  /** `isDone`: there is an outcome, and nothing to go on with. */
  onClose: (isDone: boolean) => void;
  confirmed: Confirmed;
}

/** The one dialog of all acts: what it does, why, what it would change, and what became of it. */
export function ActDialog({ draft, onChange, onClose, confirmed }: ActDialogProps) {
  const { t } = useTranslation('admin');
  const { send, busy, problem, outcome } = useActSending(confirmed, (isUnsure) => onChange({ isUnsure }));
  const name = draft.act.act;
  useFocusBack();
  return (
    <Dialog open stays={busy} onClose={() => onClose(outcome !== null)} title={t(`admin.act.${name}.title`)}>
      {outcome ? (
        <ActOutcomeText state={outcome} onClose={() => onClose(true)} />
      ) : (
        <>
          {draft.about.who ? (
            <p className="break-words font-medium">
              <Address address={draft.about.who} />
            </p>
          ) : null}
          <p className="mb-4 text-soft text-sm">{t(`admin.act.${name}.text`)}</p>
          <ActForm
            draft={draft}
            onChange={onChange}
            onClose={() => onClose(false)}
            busy={busy}
            problem={problem}
            send={send}
          />
        </>
      )}
    </Dialog>
  );
}
