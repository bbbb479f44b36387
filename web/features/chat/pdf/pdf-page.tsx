import { memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { PdfFault } from './frame-channel.ts';
import { type PageSize, pixelsOf } from './page-layout.ts';
import { PdfError, type PdfFrame } from './pdf-frame.ts';

interface PdfPageProps extends PageSize {
  frame: PdfFrame;
  /** From 1. */
  page: number;
  isNear: boolean;
}

/** A page of a PDF: drawn while it is near what the reader sees, an empty sheet of its size before and after. */
export const PdfPage = memo(function PdfPage({ isNear, ...page }: PdfPageProps) {
  const { t } = useTranslation('common');
  const { width, height } = page;
  return (
    <li style={{ width, height }} className="relative mx-auto ring-1 ring-line">
      {isNear ? (
        <DrawnPage {...page} />
      ) : (
        <span className="sr-only">{t('files.pdfPage', { page: page.page })}</span>
      )}
    </li>
  );
});

function DrawnPage({ frame, page, width, height }: Omit<PdfPageProps, 'isNear'>) {
  const { t } = useTranslation('common');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [fault, setFault] = useState<PdfFault | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  const [text, setText] = useState('');
  useEffect(() => {
    const left = new AbortController();
    const pixels = pixelsOf({ width, height }, devicePixelRatio);
    const show = (picture: ImageBitmap) => {
      const { current } = canvas;
      if (!current) return;
      Object.assign(current, { width: picture.width, height: picture.height });
      current.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
      setFault(null);
      setDrawn(true);
    };
    frame.draw(page, pixels, left.signal).then(show, (error) => {
      if (!left.signal.aborted) setFault(error instanceof PdfError ? error.fault : 'broken');
    });
    return () => left.abort();
  }, [frame, page, width, height]);
  useEffect(() => {
    const left = new AbortController();
    frame.readText(page, left.signal).then(setText, () => {});
    return () => left.abort();
  }, [frame, page]);
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={t('files.pdfPage', { page })} className="block size-full" />
      {isDrawn || fault ? null : (
        <p className="absolute inset-x-0 top-0 p-6 text-center text-sm text-soft">{t('files.loading')}</p>
      )}
      {fault ? (
        <p className="absolute inset-0 bg-sunken p-6 text-sm text-soft">
          {t(fault === 'broken' ? 'files.pdfPageFailed' : 'files.pdfPageHeavy', { page })}
        </p>
      ) : null}
      <p className="sr-only">{text}</p>
    </>
  );
}
