import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useLowestPurchase } from '#web/features/billing/plans/use-lowest-purchase.ts';
import { formatCharge, formatMonthly } from '#web/features/catalogue/plan-price.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { Refusal } from '../messages/failure-text.ts';
import { type ComposerState, canAnswer } from './composer-state.ts';

const loadCreditsWait = () => import('./credits-wait.tsx');

interface ComposerNoteProps {
  id: string;
  state: ComposerState;
  /** How many messages the credits are enough for; null while not known. */
  left: number | null;
  isAnswered: boolean;
  isQueueing: boolean;
  /** There is no room for how it is sent. */
  isNarrow: boolean;
  problem: Refusal | null;
  /** A message was refused because it costs more than the reader has. */
  isShort: boolean;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  credits: number;
  onChooseModel: (id: string) => void;
}

/** From so few messages left on, their number is said. */
const FEW = 3;

/** A text that does not fit beside the strut goes to a second line, which is not shown. */
const WHOLE_LINE =
  "flex h-5 flex-wrap overflow-hidden whitespace-nowrap before:h-5 before:w-px before:content-['']";

/** Says why nothing can be sent now or will soon be, else how it is sent. */
export function ComposerNote(props: ComposerNoteProps) {
  const { id, state, left, model, models, problem } = props;
  const { t } = useTranslation('common');
  const language = useLanguage();
  if (model && model.missingSetting !== null) {
    const setting = model.missingSetting;
    const hasOther = models.some((other) => other.allowed && canAnswer(other));
    return (
      <NoteBlock id={id}>
        <p role="alert" className="text-danger">
          {hasOther
            ? t('chat.modelMissing', { model: model.title[language], setting })
            : t('chat.noModel', { setting })}
        </p>
      </NoteBlock>
    );
  }
  if (model?.paused) {
    return (
      <NoteBlock id={id}>
        <p role="alert" className="text-danger">
          {t('chat.modelPaused', { model: model.title[language] })}
        </p>
      </NoteBlock>
    );
  }
  if (left === 0 && state !== 'running' && state !== 'sending') return <OutOfCredits {...props} />;
  if (problem !== null) {
    return (
      <NoteBlock id={id}>
        <p role="alert" className="text-danger tabular-nums">
          {problem.alert}
        </p>
        {problem.note ? <p className="text-soft">{problem.note}</p> : null}
      </NoteBlock>
    );
  }
  if (props.isAnswered && left !== null && left > 0 && left <= FEW && state === 'ready') {
    return (
      <p
        id={id}
        className="-order-1 mr-auto w-full px-(--inset-foot) text-soft text-sm tabular-nums sm:order-none sm:w-auto sm:flex-1 sm:basis-40 sm:px-0"
      >
        {t('chat.lowNote', { count: left })}
        {'\u00a0· '}
        <PlansLink />
        <span className="sr-only">{t('chat.hintKeys')}</span>
      </p>
    );
  }
  const hint = hintOf(props);
  const place = 'min-w-0 flex-1 basis-40 text-soft text-sm pointer-coarse:sr-only max-sm:sr-only';
  return (
    <p
      id={id}
      className={classNames(place, hint === 'chat.hintKeys' && WHOLE_LINE, props.isNarrow && 'sr-only')}
    >
      <span>{t(hint)}</span>
    </p>
  );
}

function hintOf({ state, isQueueing }: ComposerNoteProps) {
  if (isQueueing) return 'chat.hintQueue';
  return state === 'running' ? 'chat.hintRunning' : 'chat.hintKeys';
}

/** A note that takes the width of the composer. */
function NoteBlock({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className="-order-1 flex w-full flex-col gap-1.5 px-(--inset-foot) pb-2 text-sm">
      {children}
    </div>
  );
}

/**
 * The ways on: a cheaper model that the credits are enough for, in one click, then plans; else when there will be free ones. In red only
 * once a message was tried all the same, of which `errors.insufficient_credits` is the alert. The specification gives both texts.
 */
function OutOfCredits({ id, models, credits, isShort, isAnswered, onChooseModel }: ComposerNoteProps) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const cheaper = affordable(models, credits);
  const wait = useModule(!cheaper, loadCreditsWait);
  const note = (
    <p className={classNames('tabular-nums', isShort && 'text-danger')}>
      <span>{t('credits.insufficient')}</span>
      {language === 'zh' ? null : ' '}
      <span>{t('chat.creditsLeft', { count: credits })}</span>
    </p>
  );
  if (cheaper?.cost) {
    const count = Math.floor(credits / cheaper.cost);
    return (
      <NoteBlock id={id}>
        {note}
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            onClick={() => onChooseModel(cheaper.id)}
            className={classNames(buttonStyle('secondary', 'small'), 'w-fit py-1.5 text-left tabular-nums')}
          >
            {t('chat.cheaper', { model: cheaper.title[language], cost: cheaper.cost, count })}
          </button>
          <PlansButton />
        </div>
      </NoteBlock>
    );
  }
  return (
    <NoteBlock id={id}>
      {wait ? (
        <wait.CreditsWait note={note} plans={<PlansButton />} isAnswered={isAnswered} />
      ) : (
        <>
          {note}
          {isAnswered ? <PlansButton /> : null}
        </>
      )}
    </NoteBlock>
  );
}

/** The best model that the credits are enough for: the one with the highest price. */
function affordable(models: readonly CatalogueModel[], credits: number): CatalogueModel | undefined {
  const usable = models.filter(
    (model) => model.allowed && model.cost !== null && model.cost <= credits && canAnswer(model),
  );
  return usable.toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0))[0];
}

/** Says the least that is charged for more Credits, and opens the plans by that cycle; buying leads back to this conversation and its draft. */
export function PlansButton() {
  const { t, i18n } = useTranslation('common');
  const pathTo = useLocalPath();
  const least = useLowestPurchase();
  const isMonthly = least?.cycle === 'monthly';
  return (
    <Link
      to={least ? `${pathTo('pricing')}?cycle=${least.cycle}` : pathTo('pricing')}
      className={classNames(buttonStyle('secondary', 'small'), 'w-fit py-1.5 text-left tabular-nums')}
    >
      {least
        ? t(isMonthly ? 'credits.plansMonthly' : 'credits.plansAnnual', {
            credits: least.credits,
            price: isMonthly ? formatMonthly(least.totalUSD) : formatCharge(i18n.language, least.totalUSD),
          })
        : t('accountPages.plans')}
    </Link>
  );
}

function PlansLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link to={pathTo('pricing')} className="w-fit whitespace-nowrap text-ink underline underline-offset-4">
      {t('chat.buyCredits')}
    </Link>
  );
}
