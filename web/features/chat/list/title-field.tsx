import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_TITLE } from '#contract/limits.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useEnterKey } from '#web/lib/use-enter-key.ts';

interface TitleFieldProps {
  title: string;
  /** With the new title, null when it stays as it was; `byKey`: the focus is in the field that goes. */
  onDone: (title: string | null, byKey: boolean) => void;
}

/**
 * The title of a conversation being changed in its place: Enter or leaving the field keeps it, Escape does not. It is kept as well where
 * the field goes with what is around it: another conversation is opened, or a message moves this one up the list.
 */
export function TitleField({ title, onDone }: TitleFieldProps) {
  const { t } = useTranslation('common');
  const [text, setText] = useState(title);
  const done = useRef(false);
  const finish = (next: string | null, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    onDone(next === null || next === '' || next === title ? null : next, byKey);
  };
  const field = useRef<HTMLInputElement>(null);
  const leave = useEffectEvent(() => finish(text.trim(), false));
  useEffect(() => {
    const { current } = field;
    return () => {
      if (!current?.isConnected) queueMicrotask(leave);
    };
  }, []);
  const keys = useEnterKey({ onEnter: () => finish(text.trim(), true), onEscape: () => finish(null, true) });
  return (
    <input
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: it stands where the reader just asked for it.
      autoFocus
      dir="auto"
      value={text}
      maxLength={MAX_TITLE}
      aria-label={t('chat.renameLabel')}
      enterKeyHint="done"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text.trim(), false)}
      {...keys}
      className="h-10 w-full rounded-control border border-ink bg-raised px-[0.6875rem] text-sm outline-hidden pointer-coarse:h-11 pointer-coarse:text-base"
    />
  );
}
