import { Pencil, X } from 'lucide-react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { mayHaveArrived, type Refusal, refusalText } from '../messages/failure-text.ts';
import type { NotSentBecause, Verdict } from './judge-queue.ts';
import type { QueuedMessage } from './queue-store.ts';

const WHY: Record<Exclude<NotSentBecause, 'refused'>, TextKey> = {
  ended: 'chat.notSentEnded',
  price: 'chat.notSentPrice',
  credits: 'chat.notSentCredits',
  model: 'chat.notSentModel',
  stale: 'chat.notSentStale',
};

interface QueuedListProps {
  items: readonly QueuedMessage[];
  verdict: Verdict;
  refusal: ApiError | null;
  models: readonly CatalogueModel[];
  /** Nothing is being sent or answered. */
  canSend: boolean;
  /** Puts the text back into the composer. */
  onEdit: (id: string) => void;
  /** `byKey`: not by a pointer, so that the focus was on a button that goes. */
  onWithdraw: (id: string, byKey: boolean) => void;
  /** Sends the first one now, with its model, for at most the price on the button; where it may have arrived, again as it is. */
  onSend: (model: CatalogueModel, max: number, byKey: boolean) => void;
  onRetry: (byKey: boolean) => void;
}

/** The messages that wait for the running answer, above the composer; or why the first of them is not sent by itself. */
export function QueuedList(props: QueuedListProps) {
  const { items, models } = props;
  const { t } = useTranslation('common');
  const language = useLanguage();
  if (items.length === 0) return null;
  return (
    <section
      aria-label={t('chat.queued')}
      className="mb-2 rounded-card border border-line bg-paper pt-2.5 pr-2 pl-[calc(var(--inset)-1px)] text-sm"
    >
      <QueueHead {...props} />
      <ul className="rows">
        {items.map(({ id, content, model, cost, files }) => (
          <li key={id} className="flex items-start gap-1">
            <div className="min-w-0 flex-1 py-[0.6875rem]">
              <p dir="auto" className="line-clamp-2 wrap-anywhere">
                {content}
              </p>
              {files ? (
                <p className="line-clamp-1 break-all text-soft">
                  {files.map(({ name }) => name).join(' · ')}
                </p>
              ) : null}
            </div>
            <span className="shrink-0 px-1 py-[0.6875rem] text-soft tabular-nums max-sm:sr-only">
              {models.find((one) => one.id === model)?.title[language] ?? model} ·{' '}
              {t('chat.modelPrice', { cost })}
            </span>
            <IconButton label={t('chat.queueEdit')} onClick={() => props.onEdit(id)}>
              <Pencil aria-hidden size={16} strokeWidth={1.5} />
            </IconButton>
            <IconButton
              label={t('chat.queueWithdraw')}
              onClick={({ detail }) => props.onWithdraw(id, detail === 0)}
            >
              <X aria-hidden size={16} strokeWidth={1.5} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** That they wait, or why not, with the way on. */
function QueueHead({ items, verdict, refusal, models, canSend, onSend, onRetry }: QueuedListProps) {
  const translation = useTranslation('common');
  const { t } = translation;
  if (verdict === 'wait' || verdict === 'send') {
    return (
      <p role="status" className="text-soft">
        {t('chat.queuedNote')}
      </p>
    );
  }
  const why: Refusal =
    verdict === 'refused'
      ? refusal
        ? refusalText(translation, refusal)
        : { alert: t('chat.sendFailed'), note: null }
      : { alert: t(WHY[verdict]), note: null };
  const model = models.find(({ id }) => id === items[0]?.model);
  const isDoubtful = refusal !== null && mayHaveArrived(refusal);
  const price = model?.cost == null ? null : priceNow(items[0], refusal, model.cost);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p role="status" className="min-w-0 flex-1 basis-56">
        {why.alert}
        {why.note ? <span className="block text-soft">{why.note}</span> : null}
      </p>
      {canSend && model?.allowed && !model.paused && price !== null ? (
        <Button
          variant="secondary"
          size="small"
          className="tabular-nums"
          onClick={({ detail }) => (isDoubtful ? onRetry(detail === 0) : onSend(model, price, detail === 0))}
        >
          {t('chat.sendFor', { cost: price })}
        </Button>
      ) : null}
    </div>
  );
}

/** The most that the first one costs now: as the server said when it refused it, else as it was shown, with a text alone as its model costs now. */
function priceNow(first: QueuedMessage | undefined, refusal: ApiError | null, cost: number): number {
  if (refusal?.code === 'quote_changed') return Number(refusal.params.max ?? cost);
  if (!first) return cost;
  const { cost: shown, modelCost, files, options } = first;
  if (files || options || modelCost === undefined) return Math.max(shown, cost);
  return shown - modelCost + cost;
}
