import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The mark: two corner brackets that face each other, with the space for speech between them. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="currentColor">
      <path d="M3 3h11v4H7v8H3zM21 21H10v-4h7V9h4z" />
    </svg>
  );
}

/** The mark beside a name: on its baseline, and beside Chinese, which has none, in the middle. */
export function StandingMark({ size = 20 }: { size?: number }) {
  return (
    <span className="-translate-y-0.5 [&:lang(zh)]:translate-y-0">
      <Mark size={size} />
    </span>
  );
}

/** A name beside the mark. Chinese glyphs of the serif face are drawn above the middle of their line. */
export function MarkedName({ className, children }: { className: string; children: ReactNode }) {
  return <span className={classNames('headline [&:lang(zh)]:translate-y-[3px]', className)}>{children}</span>;
}
