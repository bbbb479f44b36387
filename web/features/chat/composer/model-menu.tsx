import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useMenuModule } from '#web/ui/loading/use-menu-module.ts';
import { CutText } from '#web/ui/text/cut-text.tsx';

const loadList = () => import('./model-list.tsx');

/** What tells models of one family from each other. */
const LAST_WORD = /\S+$/u;

interface ModelMenuProps {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
  /** In the composer: the button names the price too, or the price stands beside it. */
  price?: 'named' | 'beside';
}

/** The model in use, which opens the menu of all; what is in it comes with the first press. */
export function ModelMenu({ models, model, onChoose, price }: ModelMenuProps) {
  const { menu, openAtOnce, button } = useMenuModule(loadList);
  if (!menu) return <ModelButton model={model} price={price} {...button} />;
  return (
    <menu.ModelList
      trigger={<ModelButton model={model} price={price} />}
      openAtOnce={openAtOnce}
      models={models}
      model={model}
      onChoose={onChoose}
    />
  );
}

interface ModelButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  model: CatalogueModel | undefined;
  price: ModelMenuProps['price'];
  ref?: Ref<HTMLButtonElement>;
}

/** The label of the model in use; opens the menu of models. */
function ModelButton({ model, price, ...button }: ModelButtonProps) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const cost = price === 'named' ? (model?.cost ?? null) : null;
  // A phone names it at the top, and has no room for it beside what else is chosen.
  const isBrief = cost !== null && model?.computer !== null;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      disabled={!model}
      {...button}
      className={classNames(
        'inline-flex min-h-11 min-w-0 items-center gap-1.5 rounded-control text-sm hover:bg-sunken',
        price
          ? 'px-2 text-soft tabular-nums hover:text-ink'
          : 'px-3 max-sm:min-h-0 max-sm:px-2 max-sm:pb-1 max-sm:text-soft max-sm:leading-5',
      )}
    >
      <span className="sr-only">{t('chat.model')}</span>
      <span className={classNames('min-w-0', isBrief && 'max-sm:sr-only')}>
        <CutText text={model?.title[language] ?? ''} end={LAST_WORD} />
      </span>
      {cost === null ? null : (
        <>
          <span aria-hidden className={isBrief ? 'max-sm:hidden' : undefined}>
            ·
          </span>
          <span className="whitespace-nowrap">{t('chat.modelPrice', { cost })}</span>
        </>
      )}
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-soft" />
    </button>
  );
}
