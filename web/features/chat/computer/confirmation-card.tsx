import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { ConfirmationPart, ConfirmationReason } from '#contract/message/parts.ts';
import { shortAddress } from '#i18n/say-action.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Translate } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import type { Computer } from './use-computer.ts';

const MINUTE_MS = 60_000;
/** A page can take its question back and ask another one: who was about to allow the first must see that it changed. */
const UNREAD_MS = 700;
/** What may be asked for in a field; `frame`: what is there cannot be looked into. */
const FIELDS = ['password', 'card', 'code', 'frame'] as const;

interface ConfirmationCardProps {
  asked: ConfirmationPart;
  /** Where the page is; empty while not known. */
  url: string;
  computer: Computer;
  /** The run, where the keyboard goes once it is answered. */
  after: RefObject<HTMLElement | null>;
}

/**
 * A question of the run: what would happen and where, the safe choice first. It comes into sight where the run is in sight, and does not
 * take the focus from who is writing.
 */
export function ConfirmationCard({ asked, url, computer, after }: ConfirmationCardProps) {
  const { t } = useTranslation('common');
  const titleId = useId();
  const textId = useId();
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another one to be seen.
  useEffect(() => {
    if (isInSight(after.current)) card.current?.scrollIntoView({ block: 'nearest' });
  }, [after, asked.id]);
  const isUnread = useUnread(asked.id);
  const answer = async (act: 'allow' | 'deny') => {
    if (await computer.act({ act, confirmationId: asked.id })) after.current?.focus({ preventScroll: true });
  };
  const { title, text, quoted } = sayQuestion(t, asked, url);
  const { steps = 0, credits = 0 } = asked.params;
  const isMore = asked.reason === 'more_steps';
  return (
    <>
      <p role="alert" className="sr-only">
        {title} {text} {quoted}
      </p>
      <section
        ref={card}
        role="alertdialog"
        aria-labelledby={titleId}
        aria-describedby={textId}
        className="scroll-mt-24 rounded-card border border-warning bg-raised p-3"
      >
        <h3 id={titleId} className="font-medium wrap-anywhere">
          {title}
        </h3>
        <div id={textId} className="mt-1 text-sm wrap-anywhere">
          <p>{text}</p>
          {quoted === '' ? null : (
            <blockquote dir="auto" className="mt-2 border-line border-l-2 pl-3">
              {quoted}
            </blockquote>
          )}
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            variant="secondary"
            size="small"
            disabled={computer.isBusy}
            onClick={() => void answer('deny')}
          >
            {t(isMore ? 'computer.ask.enough' : 'computer.ask.deny')}
          </Button>
          <Button
            variant="secondary"
            size="small"
            disabled={computer.isBusy || isUnread}
            onClick={() => void answer('allow')}
          >
            {isMore ? t('computer.ask.more', { steps, credits }) : t('computer.ask.allow')}
          </Button>
          <span className="ml-auto text-soft text-sm tabular-nums">
            <TimeLeft until={asked.expiresAt} />
          </span>
        </div>
      </section>
    </>
  );
}

/** Whether a question has just come. */
function useUnread(id: string): boolean {
  const [readId, setReadId] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setReadId(id), UNREAD_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return readId !== id;
}

/** Whether some of it is in the window. */
function isInSight(element: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return top < innerHeight && bottom > 0;
}

/**
 * A question in words. What the provider says stands apart, so that it is not taken for ours, and does not say where; `url`: the page,
 * whose address may be out of sight.
 */
export function sayQuestion(t: Translate, { reason, params }: ConfirmationPart, url = '') {
  const { site = '', page = '', text = '', steps = 0, credits = 0 } = params;
  const field = FIELDS.find((each) => reason === 'sensitive_field' && each === params.field);
  return {
    title: t(`computer.ask.title.${field ? (`sensitive_${field}` as const) : reason}`, {
      site: site || page,
    }),
    text: t(`computer.ask.text.${textOf(reason, field, url)}`, {
      site,
      page: reason === 'provider' ? shortAddress(url) : page || site,
      steps,
      credits,
    }),
    quoted: String(text).replace(/\p{Cc}|\p{Bidi_Control}/gu, ' '),
  };
}

function textOf(reason: ConfirmationReason, field: string | undefined, url: string) {
  if (field === 'frame') return 'sensitive_frame';
  return reason === 'provider' && /^https?:/.test(url) ? 'provider_page' : reason;
}

/** How long a question or a pause still stands; seconds only in its last minute. */
export function TimeLeft({ until }: { until: number }) {
  const { t } = useTranslation('common');
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, until - now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), left > MINUTE_MS ? 15_000 : 1_000);
    return () => clearInterval(timer);
  }, [left]);
  return left > MINUTE_MS
    ? t('computer.ask.minutes', { count: Math.ceil(left / MINUTE_MS) })
    : t('computer.ask.seconds', { count: Math.ceil(left / 1000) });
}
