import type { ReactNode } from 'react';

/** A table in a box that scrolls by itself. */
export function ScrollingTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <div className="table" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
