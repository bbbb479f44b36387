import type { ReactNode } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { contextSize, textSize } from '#web/features/catalogue/model-texts.ts';
import type { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type AttachmentsSummary, lacksVision } from '../files/use-attachments.ts';
import { useFileActions } from '../files/use-file-actions.ts';
import { refusalText } from '../messages/failure-text.ts';
import type { ChosenOptions } from '../quote/answer-options.ts';
import type { ShownQuote } from '../quote/use-quote.ts';
import { PlansButton } from './composer-note.tsx';
import { canAnswer } from './composer-state.ts';

/** What a message carries besides its text, and what it may cost. */
export interface Carried {
  files: AttachmentsSummary;
  quote: ShownQuote;
  options: ChosenOptions;
  conversationId: string;
  /** There are pictures in the turns above, and the model sees none. */
  isUnseeing: boolean;
}

interface ExtrasNoteProps extends Carried {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  credits: number;
  /** It is to be sent as soon as it can be. */
  isAwaited: boolean;
  /** A message was refused because it costs more than the reader has. */
  isShort: boolean;
  onChooseModel: (id: string) => void;
}

/** What keeps a message with files or a search from being sent now, with a way on, or what its model will not see; null: neither. */
export function ExtrasNote(props: ExtrasNoteProps) {
  const { files, quote, options, models, model, credits, isAwaited, onChooseModel } = props;
  const { t } = useTranslation('common');
  const language = useLanguage();
  const { leaveOutPictures } = useFileActions(props.conversationId);
  const leaveOut = async () => {
    const problem = await leaveOutPictures();
    if (problem !== null) showAlert(problem);
  };
  const { error, max } = quote;
  const name = model?.title[language] ?? '';
  if (files.state === 'failed') return <Line alert text={t('files.removeFailed')} />;
  if (lacksVision(model, files) || error?.code === 'model_reads_no_files') {
    const others = models.filter((one) => one.id !== model?.id);
    const named = others.filter(({ id }) => id === error?.params.model);
    const other = seeing(named, credits) ?? seeing(others, credits);
    const isAbove = !files.needsVision;
    const own = model?.readsImages ? 'files.noScans' : 'files.blind';
    return (
      <Line alert text={t(isAbove ? 'files.blindBefore' : own, { model: name })}>
        {other ? (
          <Button
            variant="secondary"
            size="small"
            className="tabular-nums"
            onClick={() => onChooseModel(other.id)}
          >
            {t('files.useModel', { model: other.title[language], cost: other.cost ?? 0 })}
          </Button>
        ) : null}
        {isAbove ? (
          <Button variant="secondary" size="small" onClick={() => void leaveOut()}>
            {t('files.leaveOut')}
          </Button>
        ) : null}
      </Line>
    );
  }
  if (error) return <NoPrice error={error} model={model} retry={quote.retry} />;
  const isExtra = max !== null && max > (model?.cost ?? 0);
  if (isExtra && max > credits)
    return (
      <Line alert={props.isShort} text={t('quote.tooDear', { max, credits })}>
        {!options.chosen.search || options.chosen.search === 'off' || model?.pictures ? null : (
          <Button variant="secondary" size="small" onClick={() => options.choose({ search: 'off' })}>
            {t('webSearch.stop')}
          </Button>
        )}
        <PlansButton />
      </Line>
    );
  if (isAwaited && files.state === 'busy') return <Line text={t('files.sendWaits')} />;
  if (isAwaited && quote.isPending) return <Line text={t('quote.pending')} />;
  return props.isUnseeing ? <Line text={t('files.unseen', { model: name })} /> : null;
}

/** Why there is no price, and so nothing is sent: asked again where that may help. */
function NoPrice({
  error,
  model,
  retry,
}: {
  error: ApiError;
  model: CatalogueModel | undefined;
  retry: () => void;
}) {
  const translation = useTranslation('common');
  const { t } = translation;
  const language = useLanguage();
  const { code, params } = error;
  if (code === 'invalid_request' && params.field === 'options.search')
    return <Line alert text={t('webSearch.notHere')} />;
  if (code === 'context_too_long' && model) {
    const size = contextSize(model.contextTokens);
    const words = textSize(language, Number(params.limit));
    return <Line alert text={t('files.tooLong', { ...params, model: model.title[language], size, words })} />;
  }
  const isPassing = code === 'network' || code === 'unavailable' || code === 'internal';
  return (
    <Line alert text={isPassing ? t('quote.failed') : refusalText(translation, error).alert}>
      <Button variant="secondary" size="small" onClick={retry}>
        {t('chat.reload')}
      </Button>
    </Line>
  );
}

/** The cheapest model that answers in words, sees pictures and can be paid. */
function seeing(models: readonly CatalogueModel[], credits: number): CatalogueModel | undefined {
  const able = models.filter(
    ({ allowed, readsImages, pictures, computer }) =>
      allowed && readsImages && pictures === null && computer === null,
  );
  const paid = able.filter((model) => canAnswer(model) && model.cost !== null && model.cost <= credits);
  return paid.toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0))[0];
}

function Line({ alert = false, text, children }: { alert?: boolean; text: string; children?: ReactNode }) {
  return (
    <div className="-order-1 flex w-full flex-wrap items-center gap-x-4 gap-y-1.5 px-(--inset-foot) pb-2 text-sm">
      <p role={alert ? 'alert' : 'status'} className={alert ? 'text-danger' : 'text-soft'}>
        {text}
      </p>
      {children}
    </div>
  );
}
