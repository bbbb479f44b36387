import type { Message } from '#contract/chat.ts';
import { formatDate } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useModule } from '#web/lib/use-module.ts';
import { AnswerDetails } from './answer-details.tsx';
import { CopyText } from './copy-text.tsx';
import { RetryButton } from './failed-answer.tsx';
import { RegenerateMenu } from './regenerate-menu.tsx';
import { QUIET, TURN_ACTION, TURN_BUTTON, useTurnActions } from './turn-actions.ts';
import { VersionSwitch, type Versions } from './version-switch.tsx';

const loadCopy = () => import('../answer/parts/copy-answer.ts');

const STATUS: Partial<Record<Message['status'], TextKey>> = {
  running: 'chat.statusRunning',
  stopped: 'chat.statusStopped',
};

interface TurnFooterProps {
  message: Message;
  modelTitle: string;
  versions: Versions;
  /** How the browser that is driven for it stands, in words; null where none is. */
  runState: string | null;
}

/**
 * The quiet line beneath an answer: model, what was charged, how it ended, and what can be done with it. Of one that failed, what stands
 * above the line says how it ended and that it was free.
 */
export function TurnFooter({ message, modelTitle, versions, runState }: TurnFooterProps) {
  const { t } = useTranslation('common');
  const { canAsk } = useTurnActions();
  const running = message.status === 'running';
  const isDrawing = running && message.quote.lines.some(({ kind }) => kind === 'picture');
  const key = isDrawing ? 'drawing.running' : STATUS[message.status];
  const status = (running ? runState : null) ?? (key ? t(key) : null);
  const isStopped = message.status === 'stopped';
  const isCharged = isStopped || message.status === 'completed';
  return (
    <div className="turn-footer mt-2 flex min-h-8 flex-wrap items-center gap-x-1 text-soft text-sm tabular-nums">
      <p className="mr-3">
        {modelTitle}
        {isCharged ? `\u00a0· ${t('chat.charged', { credits: message.creditsUsed })}` : null}
        {status ? `\u00a0· ${status}` : null}
        <AskedAt time={message.timestamp} />
      </p>
      {versions.count > 1 ? <VersionSwitch versions={versions} /> : null}
      {isStopped ? <RetryButton message={message} className={TURN_BUTTON} /> : null}
      {running ? (
        <ButtonRoom />
      ) : (
        <span className="-ml-2 inline-flex items-center print:hidden">
          {message.response === '' ? null : <CopyAnswer message={message} />}
          {canAsk ? <RegenerateMenu message={message} /> : null}
          <AnswerDetails message={message} modelTitle={modelTitle} />
        </span>
      )}
    </div>
  );
}

/** The room of the buttons that come with the end, so that the line does not break anew then and move the text above. */
function ButtonRoom() {
  return (
    <span aria-hidden className="-ml-2 invisible inline-flex items-center print:hidden">
      <span className={TURN_ACTION} />
      <span className={TURN_ACTION} />
      <span className={TURN_ACTION} />
    </span>
  );
}

/** Copies the answer with what it has besides text, its sources as footnotes. */
function CopyAnswer({ message }: { message: Message }) {
  const { t } = useTranslation('common');
  const copying = useModule(message.parts !== undefined, loadCopy);
  const read = () => copying?.copyAnswer(message, location.origin) ?? message.response;
  return <CopyText read={read} label={t('chat.copyAnswer')} />;
}

/** When the question was asked; the hour on the line, the day in the details. */
function AskedAt({ time }: { time: number }) {
  const { i18n } = useTranslation('common');
  return (
    <time dateTime={new Date(time).toISOString()} className={`${QUIET} print:opacity-100`}>
      {`\u00a0· ${formatDate(i18n.language, time, { timeStyle: 'short' })}`}
    </time>
  );
}
