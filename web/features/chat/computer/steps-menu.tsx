import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Menu, MenuChoice, MenuOption } from '#web/ui/menu.tsx';
import { type ChosenOptions, stepCounts, stepsFor } from '../quote/answer-options.ts';

interface StepsMenuProps {
  model: CatalogueModel;
  options: ChosenOptions;
}

/** Chooses how many steps of a browser are allowed beforehand, each with its price; says so where there is no browser. */
export function StepsMenu({ model, options: { chosen, choose } }: StepsMenuProps) {
  const { t } = useTranslation('common');
  if (model.computer === 'words')
    return (
      <p className="-order-1 w-full px-(--inset-foot) pb-2 text-soft text-sm">{t('computer.wordsModel')}</p>
    );
  const covered = model.coveredSteps;
  if (!covered) return null;
  const steps = stepsFor(covered, chosen.computer?.steps);
  return (
    <Menu trigger={<StepsButton steps={steps} />}>
      <p className="px-3 pt-1.5 pb-1 text-soft text-sm">{t('computer.allowance')}</p>
      <MenuChoice
        label={t('computer.allowance')}
        value={String(steps)}
        onChange={(value) => choose({ computer: { steps: Number(value) } })}
      >
        {stepCounts(covered).map((count) => {
          const credits = (model.cost ?? 0) * (count / covered);
          return (
            <MenuOption key={count} value={String(count)}>
              <span className="tabular-nums">{t('computer.allowedNote', { steps: count, credits })}</span>
            </MenuOption>
          );
        })}
      </MenuChoice>
    </Menu>
  );
}

function StepsButton({ steps, ...button }: ButtonHTMLAttributes<HTMLButtonElement> & { steps: number }) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      {...button}
      className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-control px-2 text-soft text-sm tabular-nums hover:bg-sunken hover:text-ink max-sm:gap-1 max-sm:px-1.5"
    >
      <span className="sr-only">{t('computer.allowance')}</span>
      {t('computer.allowed', { steps })}
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0" />
    </button>
  );
}
