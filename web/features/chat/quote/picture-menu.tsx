import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { PictureOptions, PictureRatio, PictureSize } from '#contract/message/quotes.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Menu, MenuChoice, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';
import { type ChosenOptions, pictureFor } from './answer-options.ts';

const SIZES: Record<PictureSize, TextKey> = {
  '1K': 'drawing.size1',
  '2K': 'drawing.size2',
  '4K': 'drawing.size4',
};

/** The longer side of a shape in the menu, px. */
const SHAPE_PX = 18;

interface PictureMenuProps {
  pictures: NonNullable<CatalogueModel['pictures']>;
  options: ChosenOptions;
}

/** Chooses the size of the picture to be made, each with its price, and its shape. */
export function PictureMenu({ pictures, options: { chosen, choose } }: PictureMenuProps) {
  const { t } = useTranslation('common');
  const { ratio, size } = pictureFor(pictures, chosen.picture);
  const change = (picture: PictureOptions) => choose({ picture });
  return (
    <Menu trigger={<PictureButton ratio={ratio} size={size} />}>
      <p className="px-3 pt-1.5 pb-1 text-soft text-sm">{t('drawing.size')}</p>
      <MenuChoice
        label={t('drawing.size')}
        value={size}
        onChange={(next) => change({ ...(ratio ? { ratio } : {}), size: next })}
      >
        {pictures.sizes.map((one) => (
          <MenuOption key={one} value={one}>
            <span className="flex items-baseline justify-between gap-6 tabular-nums">
              {t(SIZES[one])}
              <span className="text-soft text-sm">
                {t('chat.modelPrice', { cost: pictures.prices[one] })}
              </span>
            </span>
          </MenuOption>
        ))}
      </MenuChoice>
      <MenuSeparator />
      <p className="px-3 pt-1.5 pb-1 text-soft text-sm">{t('drawing.ratio')}</p>
      <MenuChoice
        label={t('drawing.ratio')}
        value={ratio ?? 'own'}
        onChange={(next) => change({ ...(next === 'own' ? {} : { ratio: next }), size })}
      >
        <MenuOption value="own">
          {t('drawing.own')}
          <span className="block text-soft text-sm">{t('drawing.ownNote')}</span>
        </MenuOption>
        <div className="grid grid-cols-5 gap-1">
          {pictures.ratios.map((one) => (
            <MenuOption key={one} value={one} inRow>
              <Shape ratio={one} />
              <span className="tabular-nums">{one}</span>
            </MenuOption>
          ))}
        </div>
      </MenuChoice>
    </Menu>
  );
}

interface PictureButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ratio: PictureRatio | undefined;
  size: PictureSize;
}

function PictureButton({ ratio, size, ...button }: PictureButtonProps) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      {...button}
      className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-control px-2 text-soft text-sm tabular-nums hover:bg-sunken hover:text-ink max-sm:gap-1 max-sm:px-1.5"
    >
      <span className="sr-only">{t('drawing.title')}</span>
      {ratio ? (
        <span className="contents max-sm:hidden">
          <Shape ratio={ratio} />
        </span>
      ) : null}
      {ratio ? `${ratio} · ${size}` : size}
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="shrink-0" />
    </button>
  );
}

/** A frame of the shape. */
function Shape({ ratio }: { ratio: PictureRatio }) {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  const scale = SHAPE_PX / Math.max(width, height);
  return (
    <span aria-hidden className="inline-flex size-4.5 shrink-0 items-center justify-center">
      <span
        className="rounded-xs border-[1.5px] border-current"
        style={{ width: Math.round(width * scale), height: Math.round(height * scale) }}
      />
    </span>
  );
}
