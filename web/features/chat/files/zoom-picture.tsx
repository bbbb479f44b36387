import { ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { FileInfo } from '#contract/message/files.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

const STEPS = [1, 1.5, 2, 3, 4, 6, 8] as const;
const PAN_PX = 60;

/** A picture that fits its place, can be made larger, and is then moved by dragging, by scrolling or by keys. */
export function ZoomPicture({ info }: { info: FileInfo }) {
  const { t } = useTranslation('common');
  const [step, setStep] = useState(0);
  const [source, setSource] = useState<'content' | 'thumbnail'>('content');
  const box = useRef<HTMLElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const zoom = STEPS[step] ?? 1;
  const go = (by: number) => setStep(Math.max(0, Math.min(STEPS.length - 1, step + by)));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') go(1);
    else if (event.key === '-') go(-1);
    else if (event.key === '0') setStep(0);
    else if (event.key.startsWith('Arrow')) pan(box.current, event.key);
    else return;
    event.preventDefault();
  };
  const onMove = (event: PointerEvent) => {
    if (!drag.current || !box.current) return;
    box.current.scrollLeft -= event.clientX - drag.current.x;
    box.current.scrollTop -= event.clientY - drag.current.y;
    drag.current = { x: event.clientX, y: event.clientY };
  };
  return (
    <div>
      <section
        ref={box}
        aria-label={t('files.zoomHint')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a large picture is moved by keyboard too.
        tabIndex={0}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          if (event.pointerType !== 'mouse' || zoom === 1) return;
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={() => {
          drag.current = null;
        }}
        onDoubleClick={() => setStep(step === 0 ? 2 : 0)}
        className={`flex h-[65dvh] overflow-auto rounded-control border border-line bg-sunken ${zoom > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in'}`}
      >
        <img
          src={`/api/files/${info.id}/${source}`}
          alt={info.name}
          draggable={false}
          // A picture that this browser cannot draw is shown as the server drew it.
          onError={() => setSource('thumbnail')}
          style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
          className="m-auto max-w-none shrink-0 object-contain"
        />
      </section>
      <div className="mt-2 flex items-center justify-center gap-1">
        <IconButton label={t('files.zoomOut')} disabled={step === 0} onClick={() => go(-1)}>
          <ZoomOut aria-hidden size={18} strokeWidth={1.5} />
        </IconButton>
        <output className="min-w-14 text-center text-sm text-soft tabular-nums">
          {Math.round(zoom * 100)}%
        </output>
        <IconButton label={t('files.zoomIn')} disabled={step === STEPS.length - 1} onClick={() => go(1)}>
          <ZoomIn aria-hidden size={18} strokeWidth={1.5} />
        </IconButton>
      </div>
    </div>
  );
}

function pan(box: HTMLElement | null, key: string): void {
  box?.scrollBy({
    left: key === 'ArrowLeft' ? -PAN_PX : key === 'ArrowRight' ? PAN_PX : 0,
    top: key === 'ArrowUp' ? -PAN_PX : key === 'ArrowDown' ? PAN_PX : 0,
  });
}
