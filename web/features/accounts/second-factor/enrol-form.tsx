import { type FormEvent, useMemo, useRef, useState } from 'react';
import { encode } from 'uqr';
import type { Enrolment, RecoveryCodes } from '#contract/accounts/second-factor.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { CodeField } from '../second-step/code-form.tsx';
import { codeProblem } from '../second-step/second-step.ts';

interface EnrolFormProps {
  enrolment: Enrolment;
  onCancel: () => void;
  onDone: (codes: string[]) => void;
  /** The setting up is over: whether it was done, and its answer was lost. */
  onOver: () => Promise<boolean>;
  confirmed: <T>(act: () => Promise<T>) => Promise<T>;
}

/** What the app scans, and the code by which it shows that it has. */
export function EnrolForm({ enrolment, onCancel, onDone, onOver, confirmed }: EnrolFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    setProblem(code === '' ? 'secondStep.codeMissing' : null);
    if (code === '') return focusFirstError(formRef.current);
    setBusy(true);
    try {
      const send = () => callApi<RecoveryCodes>('/api/me/second-factor', { method: 'POST', body: { code } });
      onDone((await confirmed(send)).recoveryCodes);
    } catch (error) {
      if (isOver(error) && (await onOver())) return;
      setProblem(isOver(error) ? 'twoFactor.expired' : codeProblem(error));
      setBusy(false);
      focusFirstError(formRef.current);
    }
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p>{t('twoFactor.scan')}</p>
      <div className="self-center">
        <QrCode text={enrolment.url} label={t('twoFactor.qr')} />
      </div>
      <div>
        <p className="text-soft text-sm">{t('twoFactor.manual')}</p>
        <p className="mt-1 select-all break-words font-mono text-sm">{inFours(enrolment.secret)}</p>
      </div>
      <CodeField
        recovery={false}
        data-focus-first
        hint={t('twoFactor.enter')}
        error={problem ? t(problem) : undefined}
      />
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
        <Button type="submit" busy={busy}>
          {t('twoFactor.enrolSubmit')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** In groups of four, as apps show it and people read it. */
function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}

function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'conflict';
}

const QUIET = 4;

/** A QR code of a text: dark on light in every theme, since cameras expect it so. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-control border border-line"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

/** One square for each dark module. */
function draw(text: string) {
  const { size, data } = encode(text, { border: QUIET, ecc: 'L' });
  const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: squares.join('') };
}
