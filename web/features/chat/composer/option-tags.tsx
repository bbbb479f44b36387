import { Brain, Globe, type LucideIcon, MapPin, SquareTerminal, X } from 'lucide-react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { optionsFor } from '../quote/answer-options.ts';
import { EFFORTS } from './add-items.tsx';
import type { Additions } from './add-menu.tsx';

interface OptionTagsProps extends Additions {
  keepsPlace: boolean;
}

/**
 * Says above the buttons what the answer may do beyond being written, and that photos keep their place; a press ends that. What the
 * model cannot do is not shown.
 */
export function OptionTags({ attachments, keepsPlace, model, options: { chosen, choose } }: OptionTagsProps) {
  const { t } = useTranslation('common');
  const { search, code, effort } = optionsFor(model, chosen) ?? {};
  if (!search && !code && !effort && !keepsPlace) return null;
  return (
    <div className="-order-2 flex w-full flex-wrap gap-1.5 px-(--inset-foot) pb-1">
      {search ? (
        <Tag
          icon={Globe}
          name={t(search === 'auto' ? 'webSearch.autoTag' : 'webSearch.alwaysTag')}
          stop={t('webSearch.stop')}
          onStop={() => choose({ search: 'off' })}
        />
      ) : null}
      {code ? (
        <Tag
          icon={SquareTerminal}
          name={t('runCode.title')}
          stop={t('runCode.stop')}
          onStop={() => choose({ code: false })}
        />
      ) : null}
      {effort ? (
        <Tag
          icon={Brain}
          name={t('effort.tag', { effort: t(EFFORTS[effort]) })}
          stop={t('effort.stop')}
          onStop={() => choose({ effort: undefined })}
        />
      ) : null}
      {keepsPlace ? (
        <Tag
          icon={MapPin}
          name={t('files.keepPlaceTag')}
          stop={t('files.keepPlaceStop')}
          onStop={() => attachments.keepPlace(false)}
        />
      ) : null}
    </div>
  );
}

interface TagProps {
  icon: LucideIcon;
  name: string;
  stop: string;
  onStop: () => void;
}

function Tag({ icon: Icon, name, stop, onStop }: TagProps) {
  return (
    <button
      type="button"
      title={`${name} · ${stop}`}
      onClick={onStop}
      className="inline-flex min-h-9 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-control bg-sunken px-2.5 text-sm hover:bg-selected pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
      {name}
      <span className="sr-only">{stop}</span>
      <X aria-hidden size={14} strokeWidth={1.5} className="text-soft" />
    </button>
  );
}
