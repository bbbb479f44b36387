import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError, type ApiErrorCode } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { ConfirmByPassword } from '../confirmation/confirm-by-password.tsx';
import { linkProblem } from './email-query.ts';

const TEXTS = {
  account: { lead: 'linkOpener.lead', question: 'linkOpener.question', explain: 'linkOpener.explain' },
  change: {
    lead: 'linkOpener.leadChange',
    question: 'linkOpener.questionChange',
    explain: 'linkOpener.explainChange',
  },
} as const satisfies Record<string, Record<string, TextKey>>;

interface LinkOpenerProps {
  /** What the link of the mail is about: an account that was opened with the address, or a change to it. */
  about: keyof typeof TEXTS;
  email: string;
  /** Uses the link with the password of the account. */
  onPassword: (password: string) => Promise<void>;
  /** The person who opened the link does not own the account. */
  onDisown: () => Promise<void>;
  /** The link can do no more, as where it was used on another device meanwhile; receives why. */
  onOver: (error: ApiError) => void;
}

/** The refusals that no other try can change. */
const OVER: readonly ApiErrorCode[] = ['email_link_invalid', 'email_already_verified', 'email_taken'];

/** For a link that needs a signed-in user, in a browser that is signed out: asks for the password, or “this was not me”. */
export function LinkOpener({ about, email, onPassword, onDisown, onOver }: LinkOpenerProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const text = TEXTS[about];

  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError) || !OVER.includes(error.code)) throw error;
      onOver(error);
    }
  };
  const deny = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await attempt(onDisown);
    } catch (error) {
      setProblem(linkProblem(error));
      setBusy(false);
    }
  };

  return (
    <>
      <p className="break-words">{t(text.lead, { email })}</p>
      <ConfirmByPassword onPassword={(password) => attempt(() => onPassword(password))} />
      <Link to={pathTo('login')} className="text-sm underline underline-offset-4">
        {t('linkOpener.toLogin')}
      </Link>
      <section className="flex flex-col gap-3 border-line border-t pt-6">
        <h2 className="font-medium">{t(text.question)}</h2>
        <p className="text-soft text-sm">{t(text.explain)}</p>
        <FieldError>{problem && t(problem)}</FieldError>
        <Button variant="secondary" busy={busy} onClick={() => void deny()}>
          {t('linkOpener.disown')}
        </Button>
      </section>
    </>
  );
}

/** The address that a refusal names where a link needs its account; null for another error. */
export function addressOfRefusal(error: unknown): string | null {
  return error instanceof ApiError && error.code === 'link_needs_account' ? String(error.params.email) : null;
}
