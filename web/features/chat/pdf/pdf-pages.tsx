import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useSize } from '#web/lib/use-size.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useFocusWithin } from '../overlay/use-focus-within.ts';
import { GAP, layOutPages, type PageLayout, pageAt, pagesNear } from './page-layout.ts';
import { PdfPage } from './pdf-page.tsx';
import type { OpenPdf } from './use-pdf.ts';

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
/** At which a page is as wide as its place. */
const FITS = 2;

/** The pages of a PDF under each other, drawn near what is in sight. They are scrolled, turned and zoomed, by keys too. */
export function PdfPages({ frame, sizes }: OpenPdf) {
  const { t } = useTranslation('common');
  const box = useRef<HTMLElement>(null);
  const [step, setStep] = useState(FITS);
  const zoom = ZOOMS[step] ?? 1;
  const room = useSize(box);
  useFocusWithin(box);
  const layout = useMemo(
    () => layOutPages(sizes, Math.max(1, Math.round((room.width - 2 * GAP) * zoom))),
    [sizes, room.width, zoom],
  );
  const { top, turnTo } = usePlace(box, layout);
  const [first, last] = pagesNear(layout, top, room.height);
  const page = pageAt(layout, top + room.height / 3);
  // Where several pages are in sight, the one before may be there already.
  const turnBack = () => turnTo(layout.tops.findLastIndex((one, at) => at < page && one - GAP < top));
  const zoomTo = (next: number) => setStep(Math.max(0, Math.min(ZOOMS.length - 1, next)));
  const onKey = (event: KeyboardEvent) => {
    const isWide = layout.width > room.width;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '+' || event.key === '=') zoomTo(step + 1);
    else if (event.key === '-') zoomTo(step - 1);
    else if (event.key === '0') zoomTo(FITS);
    else if (event.key === 'ArrowLeft' && !isWide) turnBack();
    else if (event.key === 'ArrowRight' && !isWide) turnTo(page + 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <section
        ref={box}
        aria-label={t('files.pdfHint')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: pages are scrolled by keyboard too.
        tabIndex={0}
        data-focus-first
        onKeyDown={onKey}
        className="h-[65dvh] overflow-auto rounded-control border border-line bg-sunken phone:h-auto phone:min-h-0 phone:flex-1 phone:rounded-none phone:border-x-0 phone:-outline-offset-2"
      >
        <ol
          aria-label={t('files.pdfPages')}
          style={{ gap: GAP, padding: GAP }}
          className="flex w-max min-w-full flex-col"
        >
          {layout.heights.map((height, at) => (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number.
              key={at}
              frame={frame}
              page={at + 1}
              width={layout.width}
              height={height}
              isNear={room.height > 0 && at >= first && at <= last}
            />
          ))}
        </ol>
      </section>
      <div className="mt-2 flex items-center justify-center gap-x-2 phone:my-1 sm:gap-x-6">
        <div className="flex items-center gap-1">
          <IconButton label={t('files.pagePrevious')} disabled={page <= 0} onClick={turnBack}>
            <ChevronLeft aria-hidden size={18} strokeWidth={1.5} />
          </IconButton>
          <p className="min-w-14 text-center text-sm text-soft tabular-nums">
            <span aria-hidden>{`${page + 1} / ${sizes.length}`}</span>
            <span className="sr-only">{t('files.pdfPageOf', { page: page + 1, count: sizes.length })}</span>
          </p>
          <IconButton
            label={t('files.pageNext')}
            disabled={page >= sizes.length - 1}
            onClick={() => turnTo(page + 1)}
          >
            <ChevronRight aria-hidden size={18} strokeWidth={1.5} />
          </IconButton>
        </div>
        <div className="flex items-center gap-1">
          <IconButton label={t('files.zoomOut')} disabled={step === 0} onClick={() => zoomTo(step - 1)}>
            <ZoomOut aria-hidden size={18} strokeWidth={1.5} />
          </IconButton>
          <output className="min-w-14 text-center text-sm text-soft tabular-nums">{zoom * 100}%</output>
          <IconButton
            label={t('files.zoomIn')}
            disabled={step === ZOOMS.length - 1}
            onClick={() => zoomTo(step + 1)}
          >
            <ZoomIn aria-hidden size={18} strokeWidth={1.5} />
          </IconButton>
        </div>
      </div>
    </>
  );
}

/** Where the reader is, kept over changes of the layout: the same part of the same page stays in the middle. */
function usePlace(box: RefObject<HTMLElement | null>, layout: PageLayout) {
  const [top, setTop] = useState(0);
  const middle = useRef({ page: 0, down: 0, across: 0.5 });
  const shown = useRef(layout);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onScroll = () => {
      setTop(element.scrollTop);
      middle.current = findMiddle(element, shown.current);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [box]);
  useLayoutEffect(() => {
    shown.current = layout;
    const element = box.current;
    if (!element) return;
    const { page, down, across } = middle.current;
    const y = (layout.tops[page] ?? 0) + down * (layout.heights[page] ?? 0);
    element.scrollTo(across * element.scrollWidth - element.clientWidth / 2, y - element.clientHeight / 2);
  }, [box, layout]);
  const turnTo = (page: number) => box.current?.scrollTo({ top: (layout.tops[page] ?? 0) - GAP });
  return { top, turnTo };
}

function findMiddle(element: HTMLElement, layout: PageLayout) {
  const y = element.scrollTop + element.clientHeight / 2;
  const page = pageAt(layout, y);
  const down = (y - (layout.tops[page] ?? 0)) / (layout.heights[page] ?? 1);
  const across = (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth;
  return { page, down, across };
}
