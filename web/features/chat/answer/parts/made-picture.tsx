import { Download, ImageOff } from 'lucide-react';
import type { ImagePart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useFileViewer } from '../../files/use-file-viewer.tsx';
import { PICTURE_TEXT, usePictureState } from '../../files/use-picture-state.ts';

/** A picture as high as the window would leave no room for what is said of it, for its price and for what can be done with it. */
const MAX_HEIGHT = 'min(560px, 60dvh)';

/** A picture that the model made: its place is there before it comes; a press shows it large. */
export function MadePicture({ part: { fileId, width, height, alt } }: { part: ImagePart }) {
  const { t } = useTranslation('common');
  const { state, fail } = usePictureState(fileId);
  const { show, viewer } = useFileViewer();
  const name = alt?.trim() || t('answer.madePicture');
  if (state !== 'shown')
    return (
      <p className="my-3 flex min-h-11 w-fit items-center gap-2 rounded-control border border-line px-3 text-sm text-soft">
        <ImageOff aria-hidden size={18} strokeWidth={1.5} />
        {t(PICTURE_TEXT[state])}
      </p>
    );
  const ratio = width && height ? width / height : undefined;
  return (
    <figure
      className={`relative my-3 max-w-full ${ratio ? '' : 'w-fit'}`}
      style={ratio ? { width: `min(100%, ${width}px, calc(${MAX_HEIGHT} * ${ratio}))` } : {}}
    >
      <button
        type="button"
        aria-label={t('answer.openPicture', { name })}
        onClick={() => show({ fileId, name })}
        className="block w-full cursor-zoom-in overflow-hidden rounded-card border border-line bg-sunken hover:border-edge"
        style={ratio ? { aspectRatio: ratio } : {}}
      >
        <img
          src={`/api/files/${fileId}/content`}
          alt={name}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          onError={fail}
          className="block h-auto w-full"
        />
      </button>
      <a
        href={`/api/files/${fileId}/content`}
        download
        aria-label={t('answer.downloadPicture')}
        title={t('answer.downloadPicture')}
        className="absolute right-2 bottom-2 inline-flex size-9 items-center justify-center rounded-control border border-line bg-raised text-ink hover:border-edge pointer-coarse:size-11 print:hidden"
      >
        <Download aria-hidden size={18} strokeWidth={1.5} />
      </a>
      {viewer}
    </figure>
  );
}
