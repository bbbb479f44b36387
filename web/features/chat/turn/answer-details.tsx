import { Info } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { placePopup } from '#web/ui/place-popup.ts';
import { QUIET, TURN_ACTION } from './turn-action-style.ts';

interface AnswerDetailsProps {
  message: Message;
  modelTitle: string;
}

/** Which model answered, when, how long it took, the tokens and what was charged, in a small window of its own. */
export function AnswerDetails({ message, modelTitle }: AnswerDetailsProps) {
  const { t } = useTranslation('common');
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const place = () => placePopup(popup.current, id, 'start');
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={t('chat.details')}
        aria-label={t('chat.details')}
        aria-expanded={open}
        className={`${TURN_ACTION} ${QUIET}`}
      >
        <Info aria-hidden size={16} strokeWidth={1.5} />
      </button>
      <div
        ref={(element) => {
          popup.current = element;
          if (element && open) place();
        }}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('chat.details')}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="invisible fixed inset-auto m-0 w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border border-line bg-raised p-4 text-ink text-sm shadow-float"
      >
        {open ? <Details message={message} modelTitle={modelTitle} /> : null}
      </div>
    </>
  );
}

function Details({ message, modelTitle }: AnswerDetailsProps) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const number = new Intl.NumberFormat(tag);
  const { usage, endedAt, firstTextMs } = message;
  const seconds = (ms: number) => t('chat.seconds', { seconds: (ms / 1000).toFixed(1) });
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">
      <Row name={t('chat.model')}>{modelTitle}</Row>
      {message.modelVersion === null ? null : (
        <Row name={t('chat.detailsVersion')}>{message.modelVersion}</Row>
      )}
      <Row name={t('chat.detailsAsked')}>{time.format(message.timestamp)}</Row>
      {firstTextMs === null ? null : <Row name={t('chat.detailsFirst')}>{seconds(firstTextMs)}</Row>}
      {endedAt === null ? null : (
        <Row name={t('chat.detailsTook')}>{seconds(endedAt - message.timestamp)}</Row>
      )}
      {usage === null ? null : (
        <Row name={t('chat.detailsTokens')}>
          {t('chat.detailsUsage', {
            input: number.format(usage.inputTokens),
            output: number.format(usage.outputTokens),
          })}
        </Row>
      )}
      <Row name={t('chat.detailsCharged')}>{t('chat.charged', { credits: message.creditsUsed })}</Row>
    </dl>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="text-right wrap-anywhere">{children}</dd>
    </>
  );
}
