import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ConfirmationPart, StepPart } from '#contract/message/parts.ts';
import { sayAction } from '#i18n/say-action.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { sayQuestion } from './confirmation-card.tsx';
import type { BrowserRun } from './read-run.ts';

interface StepListProps {
  run: BrowserRun;
  /** The number of the step whose picture is shown; null: the page as it is now. */
  shown: number | null;
  onShow: (n: number) => void;
  isRunning: boolean;
  /** New steps come at its end, which stays in sight. */
  isLive: boolean;
}

/** What was done and asked, in its order. Arrow keys go from step to step. */
export function StepList({ run, shown, onShow, isRunning, isLive }: StepListProps) {
  const { t } = useTranslation('common');
  const list = useRef<HTMLOListElement>(null);
  const count = run.entries.length;
  useEffect(() => {
    const element = list.current;
    if (isLive && element && count > 0) element.scrollTop = element.scrollHeight;
  }, [isLive, count]);
  const current = shown ?? run.steps.at(-1)?.n ?? null;
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-step="${current}"]`);
    if (list.current && row && !isLive)
      list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, [current, isLive]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined || current === null) return;
    event.preventDefault();
    const next = run.steps[run.steps.findIndex(({ n }) => n === current) + by];
    if (!next) return;
    onShow(next.n);
    list.current?.querySelector<HTMLElement>(`[data-step="${next.n}"]`)?.focus();
  };
  if (count === 0)
    return (
      <p className="px-3 py-2 text-soft text-sm">
        {t(isRunning ? 'computer.stepsToCome' : 'computer.noStep')}
      </p>
    );
  return (
    <ol
      ref={list}
      onKeyDown={onKeyDown}
      aria-label={t('computer.steps')}
      className="absolute inset-0 overflow-y-auto overscroll-contain p-1.5 text-sm"
    >
      {run.entries.map((entry) =>
        entry.kind === 'step' ? (
          <StepRow key={entry.n} step={entry} isCurrent={entry.n === current} onShow={onShow} />
        ) : (
          <QuestionRow key={entry.id} asked={entry} />
        ),
      )}
    </ol>
  );
}

interface StepRowProps {
  step: StepPart;
  /** It is the one that is shown, and that the Tab key comes to. */
  isCurrent: boolean;
  onShow: (n: number) => void;
}

function StepRow({ step, isCurrent, onShow }: StepRowProps) {
  const { t } = useTranslation('common');
  const action = sayAction(t, step);
  const intent = step.intent.replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ').trim();
  return (
    <li>
      <button
        type="button"
        data-step={step.n}
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => onShow(step.n)}
        className="flex w-full items-start gap-2 rounded-control px-1.5 py-1.5 text-left hover:bg-sunken aria-[current]:bg-selected pointer-coarse:min-h-11"
      >
        <span className="w-5 shrink-0 text-right text-soft tabular-nums">{step.n}</span>
        <span className="min-w-0 grow">
          <span dir="auto" className="line-clamp-3 wrap-anywhere">
            {intent || action}
          </span>
          {intent !== '' && !intent.startsWith(action) ? (
            <span className="line-clamp-1 text-soft wrap-anywhere">{action}</span>
          ) : null}
          {step.error ? (
            <span className="block text-danger">{t(`computer.stepError.${step.error}`)}</span>
          ) : null}
          {step.files?.map(({ name, url }) => (
            <span key={url} dir="auto" className="line-clamp-2 text-soft wrap-anywhere">
              {t('computer.keep.ofStep', { name })}
            </span>
          ))}
        </span>
        {step.fileId === null ? null : (
          <img
            src={`/api/files/${step.fileId}/content`}
            alt=""
            loading="lazy"
            width={48}
            height={30}
            className="mt-0.5 h-[30px] w-12 shrink-0 rounded-sm border border-line object-cover object-top"
          />
        )}
      </button>
    </li>
  );
}

function QuestionRow({ asked }: { asked: ConfirmationPart }) {
  const { t } = useTranslation('common');
  if (asked.state === 'waiting') return null;
  return (
    <li className="py-1 pr-2 pl-8.5 text-soft">
      <span className="wrap-anywhere">{sayQuestion(t, asked).title}</span>{' '}
      <span className={asked.state === 'allowed' ? undefined : 'text-ink'}>
        {t(`computer.ask.done.${asked.state}`)}
      </span>
    </li>
  );
}
