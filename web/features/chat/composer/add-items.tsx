import { Brain, Camera, Globe, type LucideIcon, Paperclip } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Effort, SendOptions } from '#contract/message/quotes.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Menu, MenuChoice, MenuItem, MenuOption, MenuSeparator, MenuToggle } from '#web/ui/menu.tsx';
import type { SearchMode } from '../quote/answer-options.ts';
import type { Additions } from './add-menu.tsx';

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'text-soft' } as const;
const MODES: readonly { mode: SearchMode; name: TextKey; note: TextKey }[] = [
  { mode: 'off', name: 'webSearch.off', note: 'webSearch.offNote' },
  { mode: 'auto', name: 'webSearch.auto', note: 'webSearch.autoNote' },
  { mode: 'always', name: 'webSearch.always', note: 'webSearch.alwaysNote' },
];

/** How much a model thinks, by what was chosen; `own`: nothing was. */
export const EFFORTS: Record<Effort | 'own', TextKey> = {
  own: 'effort.own',
  low: 'effort.low',
  medium: 'effort.medium',
  high: 'effort.high',
};

interface ItemsProps extends Additions {
  keepsPlace: boolean;
  onUpload: () => void;
  onCamera: () => void;
}

type AddItemsProps = ItemsProps & Required<Pick<ComponentProps<typeof Menu>, 'trigger' | 'openAtOnce'>>;

/** The menu of what a message may have besides its text. */
export function AddItems({ trigger, openAtOnce, ...items }: AddItemsProps) {
  return (
    <Menu trigger={trigger} align="start" openAtOnce={openAtOnce}>
      <Items {...items} />
    </Menu>
  );
}

/** Its items: files, and what the model in use can do for an answer. */
function Items({ attachments, keepsPlace, model, options, onUpload, onCamera }: ItemsProps) {
  const { t } = useTranslation('common');
  const { chosen, choose } = options;
  const { tools, efforts = [], pictures } = model ?? {};
  const canSearch = !pictures && tools?.search;
  const canRun = !pictures && tools?.code;
  return (
    <>
      <MenuItem icon={<Paperclip {...ICON} />} onSelect={onUpload}>
        {t('files.upload')}
      </MenuItem>
      <div className="pointer-fine:hidden">
        <MenuItem icon={<Camera {...ICON} />} onSelect={onCamera}>
          {t('files.camera')}
        </MenuItem>
      </div>
      <MenuToggle checked={keepsPlace} onChange={(isKept) => attachments.keepPlace(isKept)}>
        {t('files.keepPlace')}
        <span className="block text-soft text-sm">{t('files.keepPlaceNote')}</span>
      </MenuToggle>
      {canSearch ? <SearchChoice chosen={chosen} choose={choose} /> : null}
      {canRun ? (
        <>
          <MenuSeparator />
          <MenuToggle checked={chosen.code === true} onChange={(code) => choose({ code })}>
            {t('runCode.title')}
            <span className="block text-soft text-sm">{t('runCode.note')}</span>
          </MenuToggle>
        </>
      ) : null}
      {!pictures && efforts.length > 0 ? (
        <>
          <GroupName icon={Brain} name={t('effort.title')} />
          <MenuChoice
            label={t('effort.title')}
            value={chosen.effort ?? 'own'}
            onChange={(effort) => choose({ effort: effort === 'own' ? undefined : effort })}
          >
            <div className="flex gap-1">
              {(['own', ...efforts] as const).map((effort) => (
                <MenuOption key={effort} value={effort} inRow>
                  {t(EFFORTS[effort])}
                </MenuOption>
              ))}
            </div>
          </MenuChoice>
        </>
      ) : null}
    </>
  );
}

function SearchChoice({ chosen, choose }: { chosen: SendOptions; choose: (change: SendOptions) => void }) {
  const { t } = useTranslation('common');
  return (
    <>
      <GroupName icon={Globe} name={t('webSearch.title')} />
      <MenuChoice
        label={t('webSearch.title')}
        value={chosen.search ?? 'off'}
        onChange={(search) => choose({ search })}
      >
        {MODES.map(({ mode, name, note }) => (
          <MenuOption key={mode} value={mode}>
            <span className="flex flex-wrap items-baseline justify-between gap-x-6">
              {t(name)}
              <span className="text-soft text-sm">{t(note)}</span>
            </span>
          </MenuOption>
        ))}
      </MenuChoice>
    </>
  );
}

function GroupName({ icon: Icon, name }: { icon: LucideIcon; name: string }) {
  return (
    <>
      <MenuSeparator />
      <p className="flex items-center gap-3 px-3 pt-1.5 pb-1 text-soft text-sm">
        <Icon {...ICON} />
        {name}
      </p>
    </>
  );
}
