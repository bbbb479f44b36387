import { Plus } from 'lucide-react';
import { type ButtonHTMLAttributes, type ChangeEvent, useRef, useSyncExternalStore } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { useMenuModule } from '#web/ui/loading/use-menu-module.ts';
import type { Attachments } from '../files/attachments.ts';
import { type ChosenOptions, optionsFor } from '../quote/answer-options.ts';

const loadTags = () => import('./option-tags.tsx');
const loadItems = () => import('./add-items.tsx');

/** What the message being written may have besides text. */
export interface Additions {
  attachments: Attachments;
  model: CatalogueModel | undefined;
  options: ChosenOptions;
}

/** Adds files or a photo to the message, and chooses what its answer may do, which stands above it. */
export function AddMenu(additions: Additions) {
  const { t } = useTranslation('common');
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const { menu: items, openAtOnce, button } = useMenuModule(loadItems);
  const { attachments, model, options } = additions;
  const keepsPlace = useSyncExternalStore(attachments.subscribe, attachments.keepsPlace);
  const tags = useModule(keepsPlace || optionsFor(model, options.chosen) !== undefined, loadTags);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    attachments.add([...(event.target.files ?? [])]);
    event.target.value = '';
  };
  const input = { type: 'file', hidden: true, tabIndex: -1, onChange: take } as const;
  return (
    <>
      <input ref={files} {...input} multiple aria-label={t('files.upload')} data-files />
      <input ref={camera} {...input} accept="image/*" capture="environment" aria-label={t('files.camera')} />
      {tags ? <tags.OptionTags {...additions} keepsPlace={keepsPlace} /> : null}
      <span className="-ml-2 mr-auto flex min-[42rem]:-ml-1">
        {items ? (
          <items.AddItems
            {...additions}
            trigger={<AddButton />}
            openAtOnce={openAtOnce}
            keepsPlace={keepsPlace}
            onUpload={() => files.current?.click()}
            onCamera={() => camera.current?.click()}
          />
        ) : (
          <AddButton {...button} />
        )}
      </span>
    </>
  );
}

function AddButton(button: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      title={t('files.add')}
      aria-label={t('files.add')}
      {...button}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink"
    >
      <Plus aria-hidden size={20} strokeWidth={1.5} />
    </button>
  );
}
