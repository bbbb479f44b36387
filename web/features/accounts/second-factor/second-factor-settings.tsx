import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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

/**
 * What is in the dialog: the setting up, with the time since when the factor was on before, new recovery codes, or the question whether
 * to turn it off.
 */
type Shown = { enrolment: Enrolment; before: number | null } | { codes: string[] } | 'off' | null;

/** Turns the second factor on, moves it to another app, renews its recovery codes, turns it off. */
export function SecondFactorSettings() {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const { data, isError, refetch } = useQuery(secondFactorQuery);
  const { confirmed, dialog } = useConfirmation();
  const [shown, setShown] = useState<Shown>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const hasCodes = useRef(false);
  const codes = shown !== null && shown !== 'off' && 'codes' in shown ? shown.codes : null;
  const enrolling = shown !== null && shown !== 'off' && 'enrolment' in shown ? shown : null;
  const reload = () => void queryClient.invalidateQueries(secondFactorQuery);

  const run = async (act: () => Promise<void>, unreachable: TextKey = 'account.unreachable') => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await confirmed(act);
    } catch (error) {
      const text = actProblem(error, 'twoFactor.failed');
      setProblem(text === 'account.unreachable' ? unreachable : text);
    } finally {
      setBusy(false);
    }
  };
  const post = <T,>(path: string) => callApi<T>(`/api/me/second-factor/${path}`, { method: 'POST' });
  const showCodes = (codes: string[]) => {
    hasCodes.current = true;
    setProblem(null);
    reload();
    setShown({ codes });
  };
  const enrol = () =>
    run(async () => {
      const before = data?.since ?? null;
      hasCodes.current = false;
      setShown({ enrolment: await post<Enrolment>('enrolment'), before });
    });
  /** Whether a setting up was done whose answer did not come: nobody has its recovery codes then. */
  const endLost = async (before: number | null) => {
    const since = (await refetch()).data?.since ?? null;
    const isDone = since !== null && since !== before && !hasCodes.current;
    if (isDone) {
      setShown(null);
      setProblem('twoFactor.codesUnseen');
    }
    return isDone;
  };
  const close = () => {
    setShown(null);
    if (enrolling) void endLost(enrolling.before);
  };
  const renew = () =>
    run(async () => showCodes((await post<NewCodes>('recovery-codes')).recoveryCodes), 'twoFactor.codesLost');
  const turnOff = () =>
    run(async () => {
      await callApi('/api/me/second-factor', { method: 'DELETE' });
      reload();
      setShown(null);
      showNotice(t('twoFactor.turnedOff'));
    });

  if (isError && !data) return <p role="alert">{t('twoFactor.loadFailed')}</p>;
  if (!data) return null;
  return (
    <div className="flex max-w-prose flex-col gap-4">
      <SecondFactorState
        factor={data}
        busy={busy}
        onEnrol={() => void enrol()}
        onRenew={() => void renew()}
        onTurnOff={() => {
          setProblem(null);
          setShown('off');
        }}
      />
      {shown === null ? <FieldError>{problem && t(problem)}</FieldError> : null}
      <Dialog
        open={shown !== null && shown !== 'off'}
        stays={codes !== null}
        onClose={close}
        title={t(codes ? 'twoFactor.codesTitle' : 'twoFactor.enrolTitle')}
      >
        {enrolling ? (
          <EnrolForm
            enrolment={enrolling.enrolment}
            confirmed={confirmed}
            onCancel={close}
            onDone={showCodes}
            onOver={() => endLost(enrolling.before)}
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
