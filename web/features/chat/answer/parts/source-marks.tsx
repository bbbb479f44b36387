import {
  createContext,
  type PointerEvent,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { SourcesPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { SourceLink } from './source-link.tsx';
import './parts.css';

type Sources = SourcesPart['sources'];

/** The sources of the answer that a mark is in. */
export const SourcesContext = createContext<Sources>([]);

const GAP_PX = 6;
const EDGE_PX = 12;
/** So many numbers fit above a line. */
const NUMBERS = 2;

/** A mark at the text that sources stand behind; takes no room, so that nothing moves. Opens a card of them. */
export function SourceMark({ numbers, wide = false }: { numbers: string; wide?: boolean }) {
  const { t } = useTranslation('common');
  const sources = useContext(SourcesContext);
  const id = useId();
  const card = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (open) placeCard(card.current, button.current);
  }, [open]);
  const places = numbers
    .split(',')
    .map(Number)
    .filter((place) => place in sources);
  if (places.length === 0) return null;
  const shown = places.slice(0, NUMBERS).map((place) => place + 1);
  const label = places.map((place) => place + 1).join(', ');
  const show = () => {
    if (!card.current?.matches(':popover-open')) card.current?.showPopover();
  };
  const hover = (wanted: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return;
    clearTimeout(closing.current);
    if (wanted) show();
    else closing.current = setTimeout(() => card.current?.hidePopover(), 150);
  };
  return (
    <span className="source-mark" data-wide={wide || undefined}>
      <button
        ref={button}
        type="button"
        aria-controls={open ? id : undefined}
        onClick={show}
        aria-label={t('sources.mark', { numbers: label })}
        aria-expanded={open}
        onPointerEnter={hover(true)}
        onPointerLeave={hover(false)}
      >
        {shown.join(' ')}
        {places.length > NUMBERS ? '+' : ''}
      </button>
      <span
        ref={card}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('sources.mark', { numbers: label })}
        onPointerEnter={hover(true)}
        onPointerLeave={hover(false)}
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="source-card"
      >
        {open
          ? places.map((place) => (
              <span key={place} className="flex gap-2 py-1">
                <span className="min-w-5 shrink-0 text-right text-soft tabular-nums">{place + 1}</span>
                <SourceLink source={sources[place] ?? { url: '', title: '' }} />
              </span>
            ))
          : null}
      </span>
    </span>
  );
}

/** Beneath the mark, or above it where there is more room, inside the window. */
function placeCard(card: HTMLElement | null, mark: HTMLElement | null): void {
  const at = mark?.getBoundingClientRect();
  if (!card || !at) return;
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const isAbove = at.bottom + GAP_PX + card.offsetHeight > height - EDGE_PX && at.top > height / 2;
  const left = Math.min(at.left - EDGE_PX, width - card.offsetWidth - EDGE_PX);
  card.style.left = `${Math.max(EDGE_PX, left)}px`;
  card.style.top = `${isAbove ? at.top - GAP_PX - card.offsetHeight : at.bottom + GAP_PX}px`;
}
