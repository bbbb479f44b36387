import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Enrolment, RecoveryCodes as NewCodes } from '#contract/accounts/second-factor.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Dialog, QuestionDialog } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { showNotice } from '#web/ui/toast-store.ts';
import { actProblem, useConfirmation } from '../confirmation/use-confirmation.tsx';
import { EnrolForm } from './enrol-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { secondFactorQuery } from './second-factor-query.ts';
import { SecondFactorState } from './second-factor-state.tsx';

/** What is in the dialog: the setting up, new recovery codes, or the question whether to turn it off. */
type Shown = { enrolment: Enrolment } | { codes: string[] } | 'off' | null;

/** Turns the second factor on, moves it to another app, renews its recovery codes, turns it off. */
export function SecondFactorSettings() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data, isError } = useQuery(secondFactorQuery);
  const { confirmed, dialog } = useConfirmation();
  const [shown, setShown] = useState<Shown>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const reload = () => void queryClient.invalidateQueries(secondFactorQuery);

  const run = async (act: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await confirmed(act);
    } catch (error) {
      setProblem(actProblem(error, 'twoFactor.failed'));
    } finally {
      setBusy(false);
    }
  };
  const post = <T,>(path: string) => callApi<T>(`/api/me/second-factor/${path}`, { method: 'POST' });
  const showCodes = (codes: string[]) => {
    reload();
    setShown({ codes });
  };
  const enrol = () => run(async () => setShown({ enrolment: await post<Enrolment>('enrolment') }));
  const renew = () => run(async () => showCodes((await post<NewCodes>('recovery-codes')).recoveryCodes));
  const turnOff = () =>
    run(async () => {
      await callApi('/api/me/second-factor', { method: 'DELETE' });
      reload();
      setShown(null);
      showNotice(t('twoFactor.turnedOff'));
    });

  const codes = shown !== null && shown !== 'off' && 'codes' in shown ? shown.codes : null;
  if (isError) return <p role="alert">{t('twoFactor.loadFailed')}</p>;
  if (!data) return null;
  return (
    <div className="flex max-w-prose flex-col gap-4">
      <SecondFactorState
        factor={data}
        busy={busy}
        onEnrol={() => void enrol()}
        onRenew={() => void renew()}
        onTurnOff={() => setShown('off')}
      />
      {shown === null ? <FieldError>{problem && t(problem)}</FieldError> : null}
      <Dialog
        open={shown !== null && shown !== 'off'}
        stays={codes !== null}
        onClose={() => setShown(null)}
        title={t(codes ? 'twoFactor.codesTitle' : 'twoFactor.enrolTitle')}
      >
        {shown !== null && shown !== 'off' && 'enrolment' in shown ? (
          <EnrolForm
            enrolment={shown.enrolment}
            confirmed={confirmed}
            onCancel={() => setShown(null)}
            onDone={showCodes}
          />
        ) : null}
        {codes ? <RecoveryCodes codes={codes} onSaved={() => setShown(null)} /> : null}
      </Dialog>
      <QuestionDialog
        open={shown === 'off'}
        onClose={() => setShown(null)}
        title={t('twoFactor.offTitle')}
        text={t('twoFactor.offText')}
        problem={problem && t(problem)}
        keep={t('twoFactor.keep')}
        act={t('twoFactor.turnOff')}
        busy={busy}
        onAct={() => void turnOff()}
      />
      {dialog}
    </div>
  );
}
