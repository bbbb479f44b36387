import { type ReactNode, useId, useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { useLoadWithNotice } from '#web/ui/loading/use-load-with-notice.ts';
import { useOverlay } from '../overlay/use-overlay.ts';

/** A file to be looked at. */
interface ShownFile {
  fileId: string;
  /** Null where only the server knows it. */
  name: string | null;
}

const loadViewer = () => import('./file-viewer.tsx');

/** A viewer of one file at a time, whose code comes with the first; the browser's way back closes it. `viewer` is to be drawn. */
export function useFileViewer(): { show: (file: ShownFile) => Promise<void>; viewer: ReactNode } {
  const [shown, setShown] = useState<ShownFile | null>(null);
  const overlay = useOverlay(useId());
  const module = useModule(shown !== null, loadViewer);
  const loadWithNotice = useLoadWithNotice(loadViewer);
  const viewer =
    module && shown ? (
      <module.FileViewer key={shown.fileId} {...shown} open={overlay.open} onClose={overlay.close} />
    ) : null;
  const show = async (file: ShownFile) => {
    if (!(await loadWithNotice())) return;
    setShown(file);
    overlay.show();
  };
  return { show, viewer };
}
