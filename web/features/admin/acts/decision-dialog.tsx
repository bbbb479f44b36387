import type { Proposal } from '#contract/admin/acts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { Address } from '../show/address.tsx';
import { ActOutcomeText } from './act-outcome-text.tsx';
import { PreviewBox, usePreview } from './act-preview.tsx';
import { useActText } from './use-act-text.ts';
import { useChargeCurrency, useDecision } from './use-decision.ts';
import { useFocusBack } from './use-focus-back.ts';

/** What another operator proposed, with what it would change now: agreed to, or refused. */
export function DecisionDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const actText = useActText();
  const { decide, busy, problem, outcome } = useDecision(proposal.id);
  useFocusBack();
  return (
    <Dialog open stays={busy !== null} onClose={onClose} title={actText(proposal.act)}>
      {outcome ? (
        <ActOutcomeText state={outcome === 'agree' ? 'done' : 'refused'} onClose={onClose} />
      ) : (
        <Question proposal={proposal} decide={decide} busy={busy} problem={problem} />
      )}
    </Dialog>
  );
}

interface QuestionProps extends Pick<ReturnType<typeof useDecision>, 'decide' | 'busy' | 'problem'> {
  proposal: Proposal;
}

function Question({ proposal: { act, who, reason, proposedBy }, decide, busy, problem }: QuestionProps) {
  const { t } = useTranslation('admin');
  const preview = usePreview(act);
  const currency = useChargeCurrency(act);
  return (
    <div className="flex flex-col gap-4">
      {who ? (
        <p className="break-words font-medium">
          <Address address={who} />
        </p>
      ) : null}
      <dl className="flex flex-col gap-2">
        <div>
          <dt className="text-soft text-sm">{t('admin.column.reason')}</dt>
          <dd className="break-words">{reason}</dd>
        </div>
        <div>
          <dt className="text-soft text-sm">{t('admin.proposals.by')}</dt>
          <dd>
            <Address address={proposedBy} />
          </dd>
        </div>
      </dl>
      <PreviewBox preview={preview} act={act} currency={currency} saysSecond={false} />
      <FieldError>{problem}</FieldError>
      <DialogActions>
        <Button
          data-focus-first
          variant="secondary"
          busy={busy === 'refuse'}
          disabled={busy !== null}
          onClick={() => void decide('refuse')}
        >
          {t('admin.proposals.refuse')}
        </Button>
        <Button
          busy={busy === 'agree'}
          disabled={busy !== null || preview.preview === null}
          onClick={() => void decide('agree')}
        >
          {t('admin.proposals.agree')}
        </Button>
      </DialogActions>
    </div>
  );
}
