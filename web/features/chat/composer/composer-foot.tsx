import type { ReactNode } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useModule } from '#web/lib/use-module.ts';
import type { usePaste } from '../files/use-paste.ts';
import type { Refusal } from '../messages/failure-text.ts';
import { QuotePrice } from '../quote/quote-price.tsx';
import { AddMenu } from './add-menu.tsx';
import { CharacterCount } from './character-count.tsx';
import { ComposerNote } from './composer-note.tsx';
import type { ComposerState } from './composer-state.ts';
import type { Draft } from './draft.ts';
import type { Carried } from './extras-note.tsx';
import { ModelMenu } from './model-menu.tsx';
import { ModelOptions } from './model-options.tsx';

const loadNote = () => import('./extras-note.tsx');
const loadOffer = () => import('./paste-offer.tsx');

interface ComposerFootProps {
  id: string;
  draft: Draft;
  state: ComposerState;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChooseModel: (id: string) => void;
  credits: number;
  /** How many messages the credits are enough for; null while not known. */
  left: number | null;
  isEmpty: boolean;
  isAnswered: boolean;
  isQueueing: boolean;
  isAwaited: boolean;
  problem: Refusal | null;
  isShort: boolean;
  outgoing: Carried;
  paste: ReturnType<typeof usePaste>;
  /** The buttons at its end. */
  children: ReactNode;
}

/** What stands under the text: what may be added, why it cannot be sent, the model, and the price. */
export function ComposerFoot(props: ComposerFootProps) {
  const { draft, models, model, credits, onChooseModel, outgoing, paste } = props;
  const { files, quote, options } = outgoing;
  const isExtra = quote.isPending || quote.lines.some(({ kind }) => kind !== 'message');
  const mayNote = files.state !== 'none' || isExtra || quote.error !== null || outgoing.isUnseeing;
  const note = useModule(mayNote, loadNote);
  const offer = useModule(paste.long !== null, loadOffer);
  const hasOptions = isExtra || (model?.computer ?? null) !== null;
  const isTooDear = quote.max !== null && quote.max > credits;
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-1 p-2 sm:gap-x-2">
      <AddMenu attachments={draft.attachments} model={model} options={options} />
      {offer && paste.long !== null ? <offer.PasteOffer {...paste} count={paste.long} /> : null}
      {note ? (
        <note.ExtrasNote
          {...outgoing}
          models={models}
          model={model}
          credits={credits}
          isAwaited={props.isAwaited}
          isShort={props.isShort}
          onChooseModel={onChooseModel}
        />
      ) : null}
      <ComposerNote
        id={props.id}
        state={props.state}
        left={props.left}
        isAnswered={props.isAnswered && !isTooDear}
        isNarrow={hasOptions}
        isQueueing={props.isQueueing && !props.isEmpty}
        problem={props.problem}
        isShort={props.isShort}
        models={models}
        model={model}
        credits={credits}
        onChooseModel={onChooseModel}
      />
      <CharacterCount draft={draft} />
      {model ? (
        // On a phone its name gives way to the buttons beside it.
        <span
          className={
            isExtra
              ? 'max-sm:hidden'
              : `max-sm:flex max-sm:min-w-0 max-sm:flex-1 max-sm:justify-end ${model.computer === null ? 'max-sm:basis-32' : 'max-sm:basis-24'}`
          }
        >
          <ModelMenu
            models={models}
            model={model}
            onChoose={onChooseModel}
            price={isExtra ? 'beside' : 'named'}
          />
        </span>
      ) : null}
      {model ? <ModelOptions model={model} options={options} /> : null}
      {isExtra ? <QuotePrice quote={quote} /> : null}
      {props.children}
    </div>
  );
}
