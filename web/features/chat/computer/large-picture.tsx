import { useEffect, useId } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { useOverlay } from '../overlay/use-overlay.ts';

const loadViewer = () => import('../viewer/picture-viewer.tsx');

interface LargePictureProps {
  source: string;
  name: string;
  /** Where the page is. */
  address: string;
  /** The reader is asked something, which must not be covered when it comes. */
  isAsked: boolean;
}

/** Lies over the picture of a page: a press shows it as large as the window, and larger. What is live stays so. */
export function LargePicture({ source, name, address, isAsked }: LargePictureProps) {
  const { t } = useTranslation('common');
  const { open, show, close } = useOverlay(useId());
  const viewer = useModule(open, loadViewer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who looks closer before answering may.
  useEffect(() => {
    if (isAsked) close();
  }, [isAsked]);
  return (
    <>
      <button
        type="button"
        aria-label={t('answer.openPicture', { name })}
        onClick={show}
        className="absolute inset-0 size-full cursor-zoom-in outline-offset-[-2px]"
      />
      {viewer ? (
        <viewer.PictureViewer source={source} name={name} note={address} open={open} onClose={close} />
      ) : null}
    </>
  );
}
