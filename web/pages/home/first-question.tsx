import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isSessionExpected, useSession } from '#web/features/accounts/session/use-session.ts';
import { usePromptLimit } from '#web/features/catalogue/use-prompt-limit.ts';
import { LengthCount, shownLength } from '#web/features/chat/composer/character-count.tsx';
import { keepFirstQuestion, readFirstQuestion } from '#web/features/chat/composer/first-question.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { growField } from '#web/ui/text-area.tsx';
import { AskFoot } from './ask-foot.tsx';

/**
 * A field for the first question, with its price. What is typed waits in the composer, for a visitor until there is an account; what is
 * longer than the composer takes is refused here, as there.
 */
export function FirstQuestion() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const navigate = useNavigate();
  const { state } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const limit = usePromptLimit();
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const length = shownLength(text, limit);
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    // It can be typed into before this code is here.
    if (current.value === '') current.value = readFirstQuestion();
    else keepFirstQuestion(current.value);
    setText(current.value);
    growField(current);
  }, []);
  const go = () => {
    const question = field.current?.value ?? '';
    keepFirstQuestion(question);
    if (question.trim().length > limit) return setRefused(true);
    const isMember = state === 'signed-in' || (state === 'loading' && isSessionExpected());
    void navigate(pathTo(isMember ? 'chat' : 'register'));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    go();
  };
  const keys = useEnterKey({ onEnter: go });
  return (
    <div className="flex w-full max-w-lg flex-col gap-2">
      <form
        onSubmit={onSubmit}
        className="flex flex-col gap-1 rounded-card border border-edge bg-raised p-2 focus-within:border-ink"
      >
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          aria-label={t('home.ask')}
          aria-describedby={noteId}
          aria-invalid={isRefused || undefined}
          placeholder={t('home.askPlaceholder')}
          enterKeyHint="go"
          onChange={(event) => {
            keepFirstQuestion(event.target.value);
            setText(event.target.value);
            setRefused(false);
            growField(event.target);
          }}
          {...keys}
          className="field-sizing-content block max-h-40 w-full resize-none bg-transparent px-2 py-2 outline-hidden placeholder:text-soft max-sm:min-h-12"
        />
        <AskFoot label={t(state === 'signed-in' ? 'home.askOpen' : 'home.askSubmit')} />
      </form>
      <div id={noteId} className="px-2 text-sm empty:hidden">
        {isRefused ? (
          <p role="alert" className="text-danger">
            {t('errors.prompt_too_long', { limit })}
          </p>
        ) : length > 0 ? (
          <LengthCount length={length} limit={limit} />
        ) : null}
      </div>
    </div>
  );
}
