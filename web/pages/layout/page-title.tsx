import type { ReactNode } from 'react';

/** The heading of a plain page, with a sentence or two under it. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-12 flex flex-col gap-4">
      <h1 className="headline text-4xl sm:text-5xl">{title}</h1>
      {children ? <div className="max-w-prose text-pretty text-lg text-soft">{children}</div> : null}
    </div>
  );
}
