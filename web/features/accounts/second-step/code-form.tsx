import type { ComponentProps } from 'react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { useIsResting } from '../form/one-at-a-time.tsx';
import { codeProblem } from './second-step.ts';

interface CodeFormProps {
  /** Sends the code; the field shows what it throws. */
  onCode: (code: string) => Promise<void>;
  submit: string;
  /** Other ways, between the button and the switch to recovery codes. */
  children?: ReactNode;
}

/** Asks for a code of the app, or, at the user's wish, for a recovery code. */
export function CodeForm({ onCode, submit, children }: CodeFormProps) {
  const { t } = useTranslation('common');
  const formRef = useRef<HTMLFormElement>(null);
  const [recovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const [busy, setBusy] = useState(false);
  const isResting = useIsResting(busy);

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React hands the event on to the form around a dialog, though the page does not.
    event.stopPropagation();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    setProblem(code === '' ? missing(recovery) : null);
    if (code === '') return focusFirstError(formRef.current);
    setBusy(true);
    try {
      await onCode(code);
    } catch (error) {
      setProblem(codeProblem(error));
      setBusy(false);
      focusFirstError(formRef.current);
    }
  };
  const change = () => {
    setRecovery(!recovery);
    setProblem(null);
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={send} className="flex flex-col gap-5">
      <p className="text-soft">{t(recovery ? 'secondStep.recoveryLead' : 'secondStep.lead')}</p>
      <CodeField recovery={recovery} autoFocus error={problem ? t(problem) : undefined} />
      <Button type="submit" busy={busy} disabled={isResting} className="w-full">
        {submit}
      </Button>
      {children}
      <button
        type="button"
        disabled={busy || isResting}
        onClick={change}
        className="min-h-11 self-start text-sm underline underline-offset-4 disabled:opacity-60"
      >
        {t(recovery ? 'secondStep.useCode' : 'secondStep.useRecovery')}
      </button>
    </form>
  );
}

function missing(recovery: boolean): TextKey {
  return recovery ? 'secondStep.recoveryMissing' : 'secondStep.codeMissing';
}

/** For a code of the app, or for a recovery code. */
export function CodeField({
  recovery,
  ...field
}: { recovery: boolean } & Omit<ComponentProps<typeof TextField>, 'label'>) {
  const { t } = useTranslation('common');
  return (
    <TextField
      {...field}
      key={recovery ? 'recovery' : 'code'}
      label={t(recovery ? 'secondStep.recoveryCode' : 'secondStep.code')}
      name="code"
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoCapitalize={recovery ? 'characters' : 'none'}
      autoCorrect="off"
      spellCheck={false}
      maxLength={20}
      required
    />
  );
}
