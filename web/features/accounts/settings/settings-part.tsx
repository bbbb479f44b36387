import { type ReactNode, useEffect } from 'react';

/** Scrolls to `id` when it is drawn and the address names it: mails lead to a part, which is there only once the user is known. */
export function useScrollToName(id: string) {
  useEffect(() => {
    if (location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
}

interface PartProps {
  id: string;
  title: string;
  /** How things stand, in a word or two. */
  state?: ReactNode;
  children: ReactNode;
}

/** One part of a section of the account, its heading beside it where there is room. */
export function Part({ id, title, state, children }: PartProps) {
  useScrollToName(id);
  return (
    <section
      aria-labelledby={id}
      className="mt-8 grid gap-x-10 gap-y-4 border-line border-t pt-8 md:grid-cols-[12rem_minmax(0,1fr)]"
    >
      <div className="max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3">
        <h2 id={id} className="scroll-mt-24 font-semibold text-lg">
          {title}
        </h2>
        {state}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
