import { lazy, Suspense, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { ModelButton } from './model-button.tsx';

const loadMenu = () => import('./model-menu.tsx');

const ModelMenu = lazy(async () => {
  const { ModelMenu } = await loadMenu();
  return { default: ModelMenu };
});

interface ModelPickerProps {
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChoose: (id: string) => void;
}

/** The model in use and, once asked for, the menu of all: its code is fetched when a pointer or the focus comes near. */
export function ModelPicker(picker: ModelPickerProps) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void loadMenu().catch(() => {});
  const button = (
    <ModelButton
      model={picker.model}
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <ModelMenu {...picker} />
    </Suspense>
  );
}
