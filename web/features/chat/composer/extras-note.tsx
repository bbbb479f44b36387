import type { ReactNode } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { type AttachmentsSummary, lacksVision } from '../files/use-attachments.ts';
import { refusalText } from '../messages/failure-text.ts';
import type { ChosenOptions } from '../quote/answer-options.ts';
import type { ShownQuote } from '../quote/use-quote.ts';
import { PlansLink } from './composer-note.tsx';
import { canAnswer } from './composer-state.ts';

/** What a message carries besides its text, and what it may cost. */
export interface Carried {
  files: AttachmentsSummary;
  quote: ShownQuote;
  options: ChosenOptions;
}

interface ExtrasNoteProps extends Carried {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  credits: number;
  /** It is to be sent as soon as it can be. */
  isAwaited: boolean;
  onChooseModel: (id: string) => void;
}

/** What keeps a message with files or a search from being sent now, with a way on; null where nothing does. */
export function ExtrasNote(props: ExtrasNoteProps) {
  const { files, quote, options, models, model, credits, isAwaited, onChooseModel } = props;
  const translation = useTranslation('common');
  const { t } = translation;
  const language = useLanguage();
  if (lacksVision(model, files) && model) {
    const other = seeing(models, credits);
    return (
      <Line alert text={t('files.blind', { model: model.title[language] })}>
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
      </Line>
    );
  }
  const { error, max } = quote;
  if (error) {
    const isSearch = error.code === 'invalid_request' && error.params.field === 'options.search';
    const text = isSearch
      ? t('webSearch.notHere')
      : (priceFailure(error.code) ?? refusalText(translation, error).alert);
    return (
      <Line alert text={text}>
        {isSearch ? null : (
          <Button variant="secondary" size="small" onClick={quote.retry}>
            {t('chat.reload')}
          </Button>
        )}
      </Line>
    );
  }
  const isExtra = max !== null && max > (model?.cost ?? 0);
  if (isExtra && max > credits)
    return (
      <Line alert text={t('quote.tooDear', { max, credits })}>
        {!options.chosen.search || options.chosen.search === 'off' || model?.pictures ? null : (
          <Button variant="secondary" size="small" onClick={() => options.choose({ search: 'off' })}>
            {t('webSearch.stop')}
          </Button>
        )}
        <PlansLink />
      </Line>
    );
  if (!isAwaited) return null;
  if (files.state === 'busy') return <Line text={t('files.sendWaits')} />;
  return quote.isPending ? <Line text={t('quote.pending')} /> : null;

  function priceFailure(code: string): string | null {
    return code === 'network' || code === 'unavailable' || code === 'internal' ? t('quote.failed') : null;
  }
}

/** The cheapest model that sees pictures and can be paid. */
function seeing(models: readonly CatalogueModel[], credits: number): CatalogueModel | undefined {
  const able = models.filter(
    (model) =>
      model.allowed && model.readsImages && canAnswer(model) && model.cost !== null && model.cost <= credits,
  );
  return able.toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0))[0];
}

function Line({ alert = false, text, children }: { alert?: boolean; text: string; children?: ReactNode }) {
  return (
    <div className="-order-1 flex w-full flex-wrap items-center gap-x-4 gap-y-1.5 px-2 pb-2 text-sm">
      <p role={alert ? 'alert' : 'status'} className={alert ? 'text-danger' : 'text-soft'}>
        {text}
      </p>
      {children}
    </div>
  );
}
