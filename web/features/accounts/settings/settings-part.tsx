import { type ReactNode, useEffect } from 'react';

/** One part of the profile page, under its own heading. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  useEffect(() => {
    // Mails lead to a part by its name, which is there only once the user is known.
    if (location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
  return (
    <section aria-labelledby={id} className="mt-14">
      <h2 id={id} className="headline mb-5 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
