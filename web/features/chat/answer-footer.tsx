import { ChevronLeft, ChevronRight, Copy, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { type Language, languageTag } from '#web/lib/language.ts';
import type { TextKey } from '#web/lib/translate.ts';
import { classNames } from '#web/ui/class-names.ts';

const STATUS: Partial<Record<Message['status'], TextKey>> = {
  running: 'chat.statusRunning',
  stopped: 'chat.statusStopped',
  failed: 'chat.statusFailed',
  interrupted: 'chat.statusInterrupted',
};

const ACTION = 'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 hover:bg-sunken hover:text-ink';

/** One exchange among those under the same parent. */
export interface Versions {
  place: number;
  count: number;
  older: Message | undefined;
  newer: Message | undefined;
}

interface AnswerFooterProps {
  message: Message;
  modelTitle: string;
  versions: Versions;
  onChoose: (message: Message) => void;
  /** Asks again beside this one; null where that makes no sense now. */
  onRetry: (() => void) | null;
  /** What asking again costs, in credits. */
  retryCost: number;
}

/** The quiet line beneath an answer: model, what was charged, how it ended, and what can be done with it. */
export function AnswerFooter({
  message,
  modelTitle,
  versions,
  onChoose,
  onRetry,
  retryCost,
}: AnswerFooterProps) {
  const { t, i18n } = useTranslation('common');
  const status = STATUS[message.status];
  const running = message.status === 'running';
  return (
    <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-2 text-soft text-sm tabular-nums">
      <p title={detailsOf(message, i18n.language)}>
        {modelTitle}
        {running ? null : ` · ${t('chat.charged', { credits: message.creditsUsed })}`}
        {status ? ` · ${t(status)}` : null}
      </p>
      {versions.count > 1 ? <VersionSwitch versions={versions} onChoose={onChoose} /> : null}
      {onRetry ? (
        <button
          type="button"
          onClick={onRetry}
          title={t('chat.retryPrice', { cost: retryCost })}
          className={ACTION}
        >
          <RotateCcw aria-hidden size={14} strokeWidth={1.5} />
          {t('chat.retry')}
        </button>
      ) : null}
      {message.response === '' || running ? null : <CopyAnswer text={message.response} />}
    </div>
  );
}

/** When it was asked, and the upstream's own name of the model that answered. */
function detailsOf({ timestamp, modelVersion }: Message, language: Language): string {
  const time = new Intl.DateTimeFormat(languageTag(language), { dateStyle: 'medium', timeStyle: 'short' });
  return [time.format(timestamp), ...(modelVersion === null ? [] : [modelVersion])].join(' · ');
}

function VersionSwitch({ versions, onChoose }: { versions: Versions; onChoose: (message: Message) => void }) {
  const { t } = useTranslation('common');
  const { older, newer, place, count } = versions;
  return (
    <span className="inline-flex items-center">
      <button
        type="button"
        aria-label={t('chat.versionOlder')}
        disabled={!older}
        onClick={() => older && onChoose(older)}
        className={classNames(ACTION, 'disabled:opacity-50')}
      >
        <ChevronLeft aria-hidden size={16} strokeWidth={1.5} />
      </button>
      <span aria-live="polite">{t('chat.versionPlace', { place, count })}</span>
      <button
        type="button"
        aria-label={t('chat.versionNewer')}
        disabled={!newer}
        onClick={() => newer && onChoose(newer)}
        className={classNames(ACTION, 'disabled:opacity-50')}
      >
        <ChevronRight aria-hidden size={16} strokeWidth={1.5} />
      </button>
    </span>
  );
}

function CopyAnswer({ text }: { text: string }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button
      type="button"
      onClick={copy}
      onBlur={() => setCopied(false)}
      className={classNames(
        ACTION,
        'pointer-fine:opacity-0 focus-visible:opacity-100 group-hover/turn:opacity-100',
      )}
    >
      <Copy aria-hidden size={14} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('chat.copied') : t('chat.copyAnswer')}</span>
    </button>
  );
}
