// biome-ignore lint/style/noRestrictedImports: the built page shows it already, and there is no fallback.
import { lazy, type ReactNode, Suspense } from 'react';
import { isSessionExpected } from '#web/features/accounts/session/use-session.ts';

type Header = { default: () => ReactNode };

let load: () => void = () => {};
/** A reader who was signed in does without, unless it turns out that they are a visitor. */
const asked = new Promise<void>((resolve) => {
  load = resolve;
});
/** Where it does not come, the built one stays as it is. */
const header: Promise<Header> = asked
  .then(() => import('../layout/site-header.tsx'))
  .then(
    ({ SiteHeader }) => ({ default: SiteHeader }),
    () => new Promise<never>(() => {}),
  );

/** Loads the header of every page, for a visitor of the chat. */
export const loadHeader = (): void => load();

// The built page has it, as a visitor has.
if (!isSessionExpected()) load();

const SiteHeader = lazy(() => header);

/**
 * The header of every page, which the built chat holds and which is taken over once its code is here; whoever comes from another page
 * has it. One element for good: one that changed before then would be drawn anew, and be gone meanwhile.
 */
export const LATE_HEADER = (
  <Suspense>
    <SiteHeader />
  </Suspense>
);
