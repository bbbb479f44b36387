import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '../class-names.ts';

interface FoldProps {
  label: ReactNode;
  /** Unfolded; what the reader unfolds stays so. */
  open?: boolean;
  className?: string;
  children: ReactNode;
}

/** Something that is folded, and not drawn, until the reader wants it. */
export function Fold({ label, open = false, className = '', children }: FoldProps) {
  const [isOpen, setOpen] = useState(open);
  const [wasOpen, setWasOpen] = useState(open);
  if (wasOpen !== open) {
    setWasOpen(open);
    setOpen(open);
  }
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={classNames('group/fold', className)}
    >
      <FoldSummary className="min-h-8 rounded-control pr-2 text-sm text-soft tabular-nums hover:text-ink pointer-coarse:min-h-11">
        {label}
      </FoldSummary>
      {isOpen ? children : null}
    </details>
  );
}

/** The line that opens a `details` of the class `group/fold`, with its chevron. */
export function FoldSummary({ className, children }: { className: string; children: ReactNode }) {
  return (
    <summary className={classNames('flex w-fit cursor-pointer list-none items-center gap-1.5', className)}>
      <ChevronRight
        aria-hidden
        size={16}
        strokeWidth={1.5}
        className="shrink-0 group-open/fold:rotate-90 motion-safe:transition-transform"
      />
      {children}
    </summary>
  );
}
