import { Image as ImageIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AnswerLink } from './answer-link.tsx';
import { safeAddress } from './parse/safe-link.ts';
import { orderFrame } from './picture/sandbox-frame.ts';

/** px; what a picture takes until its own size is known. */
const UNKNOWN = { width: 320, height: 180 };

interface Size {
  width: number;
  height: number;
}

/**
 * A picture from elsewhere: its host and a button until the reader wants it, because loading it shows the host that and when this
 * answer is read. Then it is shown by a document of its own, so that this page itself may load nothing from anywhere.
 */
export function RemotePicture({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation('common');
  const [wanted, setWanted] = useState(false);
  const [failed, setFailed] = useState(false);
  const url = safeAddress(src);
  if (!url || url.protocol === 'mailto:') return <span>{alt === '' ? t('chat.image') : alt}</span>;
  if (wanted && !failed) return <LoadedPicture src={url.href} alt={alt} onFailed={() => setFailed(true)} />;
  return (
    <span className="picture">
      <ImageIcon aria-hidden size={16} strokeWidth={1.5} />
      <AnswerLink href={url.href}>{alt === '' ? t('chat.image') : alt}</AnswerLink>
      <span className="host">{failed ? t('chat.imageFailed', { host: url.host }) : url.host}</span>
      {url.protocol === 'https:' ? (
        <button
          type="button"
          onClick={() => {
            setFailed(false);
            setWanted(true);
          }}
        >
          {failed ? t('chat.imageRetry') : t('chat.imageLoad')}
        </button>
      ) : null}
    </span>
  );
}

/** Without an answer of its frame, which may not have come itself. */
const LOADING_TIMEOUT_MS = 20_000;

function LoadedPicture({ src, alt, onFailed }: { src: string; alt: string; onFailed: () => void }) {
  const { t } = useTranslation('common');
  const frame = useRef<HTMLIFrameElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useLayoutEffect(() => {
    if (!frame.current) return;
    const late = setTimeout(() => failed.current(), LOADING_TIMEOUT_MS);
    const stop = orderFrame(frame.current, { src, alt }, (data) => {
      clearTimeout(late);
      const shown = readSize(data);
      if (shown) setSize(shown);
      else failed.current();
    });
    return () => {
      clearTimeout(late);
      stop();
    };
  }, [src, alt]);
  const { width, height } = size ?? UNKNOWN;
  return (
    <iframe
      ref={frame}
      className="picture-frame"
      title={alt === '' ? t('chat.image') : alt}
      src="/sandbox/picture"
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      aria-busy={size === null}
      style={{ width, aspectRatio: `${width} / ${height}` }}
    />
  );
}

function readSize(data: unknown): Size | null {
  const { width, height } = (data ?? {}) as Partial<Record<keyof Size, unknown>>;
  const isSize = (value: unknown): value is number =>
    typeof value === 'number' && value > 0 && value < 50_000;
  return isSize(width) && isSize(height) ? { width, height } : null;
}
