import { Maximize2 } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useOverlay } from '../overlay/use-overlay.ts';

const loadViewer = () => import('../viewer/picture-viewer.tsx');

interface LargePictureProps {
  source: string;
  name: string;
  /** Where the page is. */
  address: string;
  /** The reader is asked something, which must not be covered when it comes. */
  isAsked: boolean;
  /** A press on the picture is for the page: a button of its own shows it larger. */
  isDriven?: boolean;
}

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const;

/** Lies over the picture of a page: a press shows it as large as the window, and larger. What is live stays so. */
export function LargePicture({ source, name, address, isAsked, isDriven = false }: LargePictureProps) {
  const { t } = useTranslation('common');
  const { open, show, close } = useOverlay(useId());
  const viewer = useModule(open, loadViewer);
  const label = t('answer.openPicture', { name });
  // biome-ignore lint/correctness/useExhaustiveDependencies: who looks closer before answering may.
  useEffect(() => {
    if (isAsked) close();
  }, [isAsked]);
  return (
    <>
      {isDriven ? (
        <IconButton label={label} onClick={show} className="pointer-fine:size-8">
          <Maximize2 {...ICON} />
        </IconButton>
      ) : (
        <button
          type="button"
          aria-label={label}
          onClick={show}
          className="absolute inset-0 size-full cursor-zoom-in outline-offset-[-2px]"
        >
          <span className="absolute right-2 bottom-2 grid size-8 place-items-center rounded-control border border-line bg-raised text-ink pointer-fine:hidden">
            <Maximize2 {...ICON} />
          </span>
        </button>
      )}
      {viewer ? (
        <viewer.PictureViewer source={source} name={name} note={address} open={open} onClose={close} />
      ) : null}
    </>
  );
}
