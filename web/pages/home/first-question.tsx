import { type FormEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { MAX_PROMPT } from '#contract/limits.ts';
import { isSessionExpected, useSession } from '#web/features/accounts/session/use-session.ts';
import { keepFirstQuestion, readFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { growField } from '#web/ui/text-area.tsx';

/** A field for the first question. What is typed waits in the composer, for a visitor until there is an account. */
export function FirstQuestion() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const { state } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    // It can be typed into before this code is here.
    if (current.value === '') current.value = readFirstQuestion();
    else keepFirstQuestion(current.value);
    growField(current);
  }, []);
  const go = () => {
    keepFirstQuestion(field.current?.value ?? '');
    const isMember = state === 'signed-in' || (state === 'loading' && isSessionExpected());
    void navigate(pathTo(isMember ? 'chat' : 'register'));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    go();
  };
  const keys = useEnterKey({ onEnter: go });
  return (
    <form
      onSubmit={onSubmit}
      className="flex w-full max-w-lg items-end gap-2 rounded-card max-sm:flex-col max-sm:items-stretch border border-edge bg-raised p-2 focus-within:border-ink"
    >
      <textarea
        ref={field}
        rows={1}
        maxLength={MAX_PROMPT}
        aria-label={t('home.ask')}
        placeholder={t('home.askPlaceholder')}
        enterKeyHint="go"
        onChange={(event) => {
          keepFirstQuestion(event.target.value);
          growField(event.target);
        }}
        {...keys}
        className="field-sizing-content block max-h-40 min-w-0 flex-1 resize-none max-sm:min-h-12 bg-transparent px-2 py-2 outline-hidden placeholder:text-soft"
      />
      <Button type="submit" className="shrink-0">
        {t(state === 'signed-in' ? 'home.askOpen' : 'home.askSubmit')}
      </Button>
    </form>
  );
}
