import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

interface FoldProps {
  label: ReactNode;
  /** Unfolded; what the reader unfolds stays so. */
  open?: boolean;
  children: ReactNode;
}

/** Something that is folded until the reader wants it. */
export function Fold({ label, open = false, children }: FoldProps) {
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
      className="group/fold my-2 text-sm"
    >
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-control pr-2 text-soft tabular-nums hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight
          aria-hidden
          size={16}
          strokeWidth={1.5}
          className="group-open/fold:rotate-90 motion-safe:transition-transform"
        />
        {label}
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
