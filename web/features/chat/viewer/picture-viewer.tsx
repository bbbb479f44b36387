import { Dialog } from '#web/ui/dialog.tsx';
import { ZoomPicture } from './zoom-picture.tsx';

interface PictureViewerProps {
  source: string;
  name: string;
  /** What is said beneath the name. */
  note: string;
  open: boolean;
  onClose: () => void;
}

/** Shows a picture that is no file of the reader's as large as the window allows, and larger. */
export function PictureViewer({ source, name, note, open, onClose }: PictureViewerProps) {
  return (
    <Dialog large open={open} onClose={onClose} title={name} note={note}>
      <div className="flex min-h-0 flex-1 flex-col">
        <ZoomPicture source={source} name={name} whole={null} />
      </div>
    </Dialog>
  );
}
