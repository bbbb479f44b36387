import type { CatalogueModel } from '#contract/catalogue.ts';
import { useModule } from '#web/lib/use-module.ts';
import type { ChosenOptions } from '../quote/answer-options.ts';

const loadPicture = () => import('../quote/picture-menu.tsx');
const loadSteps = () => import('../computer/steps-menu.tsx');

/** What only this kind of model is given with a message: the picture to make, or the steps that it may take in a browser. */
export function ModelOptions({ model, options }: { model: CatalogueModel; options: ChosenOptions }) {
  const picture = useModule(model.pictures !== null, loadPicture);
  const steps = useModule(model.computer !== null, loadSteps);
  return (
    <>
      {picture && model.pictures ? <picture.PictureMenu pictures={model.pictures} options={options} /> : null}
      {steps && model.computer ? <steps.StepsMenu model={model} options={options} /> : null}
    </>
  );
}
