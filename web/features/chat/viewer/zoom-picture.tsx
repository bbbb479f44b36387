import { ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { type Size, useSize } from '#web/lib/use-size.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useFocusWithin } from '../overlay/use-focus-within.ts';
import { FileFailure } from './file-failure.tsx';
import { scrollThatKeeps, zoomsAbove, zoomThatFits } from './picture-zoom.ts';

const PAN_PX = 60;

interface ZoomPictureProps {
  source: string;
  /** What is shown where this browser cannot draw the picture. */
  fallback?: string;
  name: string;
  /** In pixels of the picture; null where that is known only once it is drawn. */
  whole: Size | null;
}

/** A picture that fits its place, can be made larger, and is then moved by dragging, by scrolling or by keys. */
export function ZoomPicture({ source, fallback, name, whole }: ZoomPictureProps) {
  const { t } = useTranslation('common');
  const box = useRef<HTMLElement>(null);
  const { zoom, larger, smaller, size, zoomTo, setDrawn } = usePictureZoom(box, whole);
  const sources = fallback ? [source, fallback] : [source];
  const [failures, setFailures] = useState(0);
  const shown = sources[failures];
  useFocusWithin(box);
  const drag = useDrag();
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '+' || event.key === '=') zoomTo(larger[0] ?? zoom);
    else if (event.key === '-') zoomTo(smaller);
    else if (event.key === '0') zoomTo(null);
    else if (event.key.startsWith('Arrow')) pan(box.current, event.key);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <section
        ref={box}
        aria-label={t('files.zoomHint')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a large picture is moved by keyboard too.
        tabIndex={0}
        data-focus-first
        onKeyDown={onKey}
        {...drag}
        onDoubleClick={(event) => zoomTo(zoom === null ? (larger[1] ?? larger[0] ?? null) : null, event)}
        className={`flex h-[65dvh] overflow-auto rounded-control border border-line bg-sunken phone:h-auto phone:min-h-0 phone:flex-1 phone:rounded-none phone:border-x-0 phone:-outline-offset-2 ${zoom === null ? 'cursor-zoom-in' : 'cursor-grab active:cursor-grabbing'}`}
      >
        {shown ? (
          <img
            src={shown}
            alt={name}
            draggable={false}
            onLoad={({ currentTarget }) =>
              setDrawn({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }
            onError={() => setFailures(failures + 1)}
            style={size}
            className="m-auto max-w-none shrink-0"
          />
        ) : (
          <div className="m-auto p-4">
            <FileFailure error={null} onRetry={() => setFailures(0)} />
          </div>
        )}
      </section>
      <div className="mt-2 flex items-center justify-center gap-1 phone:my-1">
        <IconButton label={t('files.zoomOut')} disabled={zoom === null} onClick={() => zoomTo(smaller)}>
          <ZoomOut aria-hidden size={18} strokeWidth={1.5} />
        </IconButton>
        <output className="min-w-18 text-center text-sm text-soft tabular-nums">
          {zoom === null ? t('files.zoomFit') : `${Math.round(zoom * 100)}%`}
        </output>
        <IconButton
          label={t('files.zoomIn')}
          disabled={larger.length === 0}
          onClick={() => zoomTo(larger[0] ?? zoom)}
        >
          <ZoomIn aria-hidden size={18} strokeWidth={1.5} />
        </IconButton>
      </div>
    </>
  );
}

/**
 * The zoom of a picture in its place, in CSS pixels per pixel of the picture; null: it fits, as it does at first. With another zoom
 * the same part of it stays in the middle, or at the point that was pressed.
 */
function usePictureZoom(box: RefObject<HTMLElement | null>, known: Size | null) {
  const place = useSize(box);
  const [zoom, setZoom] = useState<number | null>(null);
  const [drawn, setDrawn] = useState<Size>({ width: 0, height: 0 });
  const whole = known ?? drawn;
  const fit = zoomThatFits(whole, place);
  const steps = zoomsAbove(fit);
  const width = Math.floor(whole.width * (zoom ?? fit));
  const height = Math.floor(whole.height * (zoom ?? fit));
  /** Gives the place its scroll for another size; taken before, as a smaller picture has less to scroll. */
  const rescroll = useRef<((after: Size) => void) | null>(null);
  useLayoutEffect(() => {
    rescroll.current?.({ width, height });
    rescroll.current = null;
  }, [width, height]);
  const zoomTo = (next: number | null, pressed?: MouseEvent) => {
    const { current } = box;
    if (!current || next === zoom) return;
    const edge = current.getBoundingClientRect();
    const point = pressed
      ? { x: pressed.clientX - edge.left, y: pressed.clientY - edge.top }
      : { x: place.width / 2, y: place.height / 2 };
    const scroll = { left: current.scrollLeft, top: current.scrollTop };
    rescroll.current = (after) =>
      current.scrollTo(scrollThatKeeps(point, scroll, place, { width, height }, after));
    setZoom(next);
  };
  return {
    zoom,
    larger: steps.filter((step) => step > (zoom ?? 0)),
    /** The next smaller one; null: the one that fits. */
    smaller: steps.findLast((step) => zoom !== null && step < zoom) ?? null,
    size: { width, height },
    zoomTo,
    setDrawn,
  };
}

/** A picture is moved by a mouse that is held down; a finger scrolls it anyway. */
function useDrag() {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType !== 'mouse') return;
      from.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
      if (!from.current) return;
      currentTarget.scrollBy(from.current.x - clientX, from.current.y - clientY);
      from.current = { x: clientX, y: clientY };
    },
    onPointerUp() {
      from.current = null;
    },
  };
}

function pan(box: HTMLElement | null, key: string): void {
  box?.scrollBy({
    left: key === 'ArrowLeft' ? -PAN_PX : key === 'ArrowRight' ? PAN_PX : 0,
    top: key === 'ArrowUp' ? -PAN_PX : key === 'ArrowDown' ? PAN_PX : 0,
  });
}
