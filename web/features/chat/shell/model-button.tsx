import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';

interface ModelButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  model: CatalogueModel | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** The label of the model in use; opens the menu of models. */
export function ModelButton({ model, ...button }: ModelButtonProps) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  return (
    <button
      type="button"
      aria-haspopup="menu"
      disabled={!model}
      {...button}
      className="inline-flex min-h-11 min-w-0 items-center gap-1.5 rounded-control px-3 text-sm hover:bg-sunken"
    >
      <span className="sr-only">{t('chat.model')}</span>
      <span className="truncate">{model?.title[language] ?? ''}</span>
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-soft" />
    </button>
  );
}
