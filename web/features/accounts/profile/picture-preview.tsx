import { useEffect, useRef } from 'react';

const SIDE = 192;

interface PicturePreviewProps {
  file: File;
  /** The browser cannot show it, so it is no picture that we can take. */
  onUnreadable: () => void;
}

/** The middle square of a picture, as it will be seen. */
export function PicturePreview({ file, onUnreadable }: PicturePreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const report = useRef(onUnreadable);
  report.current = onUnreadable;
  useEffect(() => {
    let isGone = false;
    createImageBitmap(file).then(
      (image) => {
        const context = canvas.current?.getContext('2d');
        const side = Math.min(image.width, image.height);
        const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
        if (!isGone) context?.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
        image.close();
      },
      () => isGone || report.current(),
    );
    return () => {
      isGone = true;
    };
  }, [file]);
  return (
    <canvas ref={canvas} width={SIDE} height={SIDE} aria-hidden className="size-24 rounded-full bg-sunken" />
  );
}
