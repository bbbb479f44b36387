import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

interface FoldProps {
  summary: ReactNode;
  startsOpen?: boolean;
  children: ReactNode;
}

/** Something that is drawn when its summary is pressed. */
export function Fold({ summary, startsOpen = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group/fold mb-3"
    >
      <summary className="flex min-h-9 w-fit cursor-pointer list-none items-center gap-1.5 rounded-control pr-2 text-soft text-sm hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight
          aria-hidden
          size={16}
          strokeWidth={1.5}
          className="shrink-0 group-open/fold:rotate-90 motion-safe:transition-transform"
        />
        {summary}
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
